import { type Mutant, mutantsOf } from './mutant.js';

const AGREEMENT = ['src/scoring/judge/agreement.test.ts'];
const JUDGING = ['src/experiment/judging/judging.test.ts'];

/** Judges: what they are shown, how verdicts are used, how far they are trusted. */
export const judgingMutants: readonly Mutant[] = [
  ...mutantsOf(
    'src/scoring/judge/judge.ts',
    ['src/scoring/judge/judge.test.ts'],
    [
      [
        'tie-is-correct',
        'OB-7',
        'const wins = 2 * correct > verdicts.length;',
        'const wins = 2 * correct >= verdicts.length;',
      ],
    ],
  ),
  ...mutantsOf(
    'src/scoring/judge/read-verdict.ts',
    ['src/scoring/judge/judge.test.ts'],
    [['any-completion-is-a-verdict', 'PR-3', 'if (unsupported !== null) {', 'if (unsupported === "") {']],
  ),
  ...mutantsOf(
    'src/scoring/judge/judge-rule.ts',
    ['src/scoring/judge/judge.test.ts'],
    [['abstention-is-asked', 'OB-7', 'if (!row.abstained) return null;', 'return null;']],
  ),
  ...mutantsOf(
    'src/scoring/judge/judge-request.ts',
    ['src/scoring/judge/judge.test.ts'],
    [
      [
        'judge-without-present',
        'FX-7',
        'expected: [...expected], present, question',
        'expected: [...expected], question',
      ],
    ],
  ),
  ...mutantsOf('src/scoring/judge/bias-correction.ts', AGREEMENT, [
    ['judge-taken-as-exact', 'OB-7', '+ centre ** 2 * seTerm + (1 - centre) ** 2 * spTerm)', ')'],
    ['correction-unclamped', 'OB-7', 'Math.min(1, Math.max(0, value))', 'value'],
    ['useless-judge-corrects', 'OB-7', 'return sum <= 1 ? TOO_WEAK : null;', 'return null;'],
  ]),
  ...mutantsOf('src/scoring/judge/agreement.ts', AGREEMENT, [
    [
      'specificity-over-everything',
      'OB-7',
      'wilson(both_incorrect, both_incorrect + judge_only, z)',
      'wilson(both_incorrect, both_incorrect + judge_only + 1, z)',
    ],
    ['agreement-by-chance-counts', 'OB-7', 'const kappa = (po - pe) / (1 - pe);', 'const kappa = po;'],
  ]),
  ...mutantsOf('src/scoring/judge/rank-changes.ts', AGREEMENT, [
    ['a-tie-reverses', 'OB-7', 'if (here * there >= 0) return [];', 'if (here * there > 0) return [];'],
  ]),
  ...mutantsOf('src/experiment/judging/judging.ts', JUDGING, [
    [
      'equal-answers-asked-again',
      'OB-7',
      'const different = [...new Map(askings.map((asking) => [asking.key, asking])).values()];',
      'const different = askings;',
    ],
    ['resumed-judge-asks-again', 'OB-7', '({ repeat }) => !known.has(repeat),', '() => true,'],
    [
      'half-a-judgement-counts',
      'OB-7',
      'return verdicts.length === choice.repeats ? verdicts : null;',
      'return verdicts.length > 0 ? verdicts : null;',
    ],
    [
      'judging-past-the-budget',
      'MX-9',
      'await this.gate.pass(() => askVerdict(this.session, this.folder, fixture, asking, repeat))',
      'await askVerdict(this.session, this.folder, fixture, asking, repeat)',
    ],
  ]),
  ...mutantsOf('src/experiment/judging/ask-verdict.ts', JUDGING, [
    [
      'judging-goes-on-when-interrupted',
      'CL-3',
      'if (session.signal.aborted) throw',
      'if (session.signal.reason === 0) throw',
    ],
    [
      'reason-keeps-a-secret',
      'RS-4',
      'scanForConfigured(reason, session.providers.secretValues).length > 0',
      'scanForConfigured(reason, []).length > 0',
    ],
  ]),
  ...mutantsOf(
    'src/experiment/judging/judge-labels.ts',
    ['src/experiment/judging/judge-labels.test.ts'],
    [
      [
        'stale-label-counts',
        'OB-7',
        'if (expected !== undefined && !sameTexts(',
        'if (expected === undefined && !sameTexts(',
      ],
      ['one-person-twice', 'OB-7', 'if (known.by.has(by))', 'if (known.by.size > 99)'],
      ['label-of-no-question', 'MX-2', 'if (holding.length === 0)', 'if (holding.length === 99)'],
    ],
  ),
  ...mutantsOf(
    'src/matrix/check-judges.ts',
    ['src/matrix/check-judges.test.ts'],
    [
      ['unknown-judge', 'MX-2', 'if (name === null || Object.hasOwn(matrix.judges, name)) return;', 'return;'],
      ['judge-that-nothing-asks', 'MX-2', 'if (!asked.includes(name))', 'if (asked.length === 0)'],
    ],
  ),
  ...mutantsOf(
    'src/scoring/miss.ts',
    ['src/scoring/miss.test.ts'],
    [
      ['last-loss-first', 'OB-6', 'const first = MISS_CAUSES.find(', 'const first = [...MISS_CAUSES].reverse().find('],
      [
        'superseded-as-never-formed',
        'OB-6',
        "? 'wrongly-superseded' : 'never-formed'",
        "? 'never-formed' : 'never-formed'",
      ],
      [
        'answered-unanswerable-by-evidence',
        'OB-6',
        "if (!label.answerable) return { cause: 'misread', turns: [] };",
        '',
      ],
    ],
  ),
  ...mutantsOf(
    'src/experiment/summary/misses.ts',
    ['src/experiment/summary/misses.test.ts'],
    [
      ['beliefs-of-later', 'FX-7', "text(belief, 'visible_from') <= present && ", ''],
      ['outdated-citation-counts', 'RT-3', " && !outdated.has(text(belief, 'id'))", ''],
      ['unread-items-count', 'OB-6', 'row.retrieved.filter(({ id }) => included.has(id))', 'row.retrieved'],
    ],
  ),
];
