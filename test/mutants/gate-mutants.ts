import { type Mutant, mutantsOf } from './mutant.js';

const ROOM = 'src/report/comparison/gate';
const GATE = [`${ROOM}/apply-gates.test.ts`];
const RATE = [`${ROOM}/gate-rate.test.ts`];
const OUTPUTS = ['src/report/outputs/outputs.test.ts'];
const NIGHTS = ['test/scripts/nightly.test.ts'];

/** What fails a nightly job, and what does not (RP-4). */
export const gateMutants: readonly Mutant[] = [
  ...mutantsOf(`${ROOM}/one-sided.ts`, GATE, [
    [
      'gate-bound-of-two-sides',
      'RP-4',
      'criticalT(2 * alpha, degrees_of_freedom)',
      'criticalT(alpha, degrees_of_freedom)',
    ],
    ['gate-no-variance-is-certainty', 'RP-4', 'p: 2 ** -units', 'p: 0'],
  ]),
  ...mutantsOf(`${ROOM}/outcome.ts`, RATE, [
    [
      'gate-bound-is-the-estimate',
      'RP-4',
      "if (tests === 'estimate') return",
      "if (found.kind === 'estimated') return",
    ],
  ]),
  ...mutantsOf(`${ROOM}/outcome.ts`, GATE, [
    ['gate-holds-the-nearer-bound', 'RP-4', '? [said.upper, said.lower]', '? [said.lower, said.upper]'],
    ['gate-never-within-margin', 'RP-4', 'isBeyond(held) || isBeyond(other) ?', 'isBeyond(held) || !isBeyond(held) ?'],
    ['gate-kept-by-the-further-bound', 'RP-4', 'within(held, other, null)', 'within(held, held, null)'],
    ['gate-too-few-units-decide', 'RP-4', 'if (p <= alpha)', 'if (p <= 1)'],
    [
      'gate-of-one-conversation-passes',
      'RP-4',
      "if (said.kind === 'none') return UNTESTABLE;",
      "if (said.kind === 'none') return passed(0);",
    ],
  ]),
  ...mutantsOf(`${ROOM}/apply-gates.ts`, GATE, [
    ['gate-alpha-whole-for-each', 'RP-4', 'comparison.alpha / Math.max(1, bounds)', 'comparison.alpha'],
    [
      'gate-regression-before-invalid',
      'RP-4',
      "if (has('invalid')) return 'invalid';",
      "if (has('invalid') && !has('regression')) return 'invalid';",
    ],
    ['gate-untestable-passes', 'RP-4', "if (unasked || has('untestable'))", 'if (unasked)'],
    ['gate-of-nothing-passes', 'RP-4', "if (unasked || has('untestable'))", "if (has('untestable'))"],
  ]),
  ...mutantsOf(`${ROOM}/scoped-finding.ts`, GATE, [
    ['gate-certain-by-two-equal-means', 'RP-4', 'isTold && these.outcome !== found.outcome', 'isTold && !isTold'],
    ['gate-refuses-by-chance', 'RP-4', 'found.value !== null && isNoRegression(these)', 'found.value === 7'],
    [
      'gate-passes-for-want-of-a-bound',
      'RP-4',
      'found.value !== null && isNoRegression(these)',
      'found.value !== null',
    ],
  ]),
  ...mutantsOf(`${ROOM}/gate-contrast.ts`, GATE, [
    ['gate-of-unlike-rulers', 'RP-4', 'if (rule.unlike_rulers.length > 0)', 'if (rule.unlike_rulers.length > 9)'],
    ['gate-blind-to-lost-rows', 'RP-4', 'if (lost !== null)', 'if (lost === undefined)'],
    [
      'gate-hidden-fall-passes',
      'RP-4 OB-4',
      'isRegression(without) === isRegression(counted))',
      '!isRegression(counted))',
    ],
    ['gate-failures-excuse', 'RP-4 OB-4', 'if (isRegression(counted)) return', 'if (isRegression(without)) return'],
  ]),
  ...mutantsOf(`${ROOM}/lost-share.ts`, GATE, [
    ['gate-counts-lost-of-base-alone', 'RP-4', "['base', 'head'] as const", "['base'] as const"],
    [
      'gate-blind-to-missing-questions',
      'RP-4',
      'all > 0 && one / all > maxLostShare',
      'all < 0 && one / all > maxLostShare',
    ],
    [
      'gate-of-no-rows-passes',
      'RP-4',
      'rows.base.rows === 0 && rows.head.rows === 0',
      'rows.base.rows < 0 && rows.head.rows === 0',
    ],
  ]),
  ...mutantsOf(
    `${ROOM}/condition.ts`,
    [`${ROOM}/condition.test.ts`],
    [
      [
        'gate-threshold-out-of-reach',
        'RP-4',
        'if (Math.abs(condition.threshold) < 1)',
        'if (Math.abs(condition.threshold) < 9)',
      ],
      [
        'gate-of-the-plan-out-of-reach',
        'RP-4 MX-8',
        'return reachable({ text: `${primary}',
        'return ({ text: `${primary}',
      ],
      ['gate-tests-estimate-unasked', 'RP-4', "tests = 'bound', sign", "tests = 'estimate', sign"],
    ],
  ),
  ...mutantsOf('src/report/outputs/comparison-csv.ts', OUTPUTS, [
    ['csv-of-formulas', 'RP-4 RS-4', 'escape_formulas: true', 'escape_formulas: false'],
  ]),
  ...mutantsOf('src/report/outputs/comparison-junit.ts', OUTPUTS, [
    ['junit-invalid-fails', 'RP-4', 'test.skipped();', "test.failure('invalid');"],
    ['junit-of-control-characters', 'RP-4 RS-4', 'terminalText(text.toWellFormed())', 'text'],
  ]),
  ...mutantsOf('src/report/outputs/markdown.ts', OUTPUTS, [
    ['markdown-of-html', 'RP-4 RS-4', ".replace(/</g, '&lt;')", ''],
  ]),
  ...mutantsOf('scripts/nightly/night.mjs', NIGHTS, [
    [
      'night-regression-moves-the-base',
      'RP-4',
      "verdict.outcome === 'passed' || verdict.outcome === 'first'",
      "verdict.outcome !== 'refused'",
    ],
    [
      'night-outage-is-a-regression',
      'RP-4',
      "return { outcome: 'outage', exit_code: DONE, said: sentences };",
      "return { outcome: 'regression', exit_code: REGRESSION, said: sentences };",
    ],
    ['night-outages-never-fail', 'RP-4', 'streak < maxOutages', 'streak > 0'],
    ['night-mark-before-what-it-rests-on', 'RP-4', '  artefacts.writeNight(folder, told);\n  if', '  if'],
    ['night-anchor-overlooked', 'RP-4', "['anchor', anchor],", "['anchor', null],"],
  ]),
  ...mutantsOf('scripts/nightly.mjs', NIGHTS, [
    ['night-beside-another', 'RP-4', 'const lock = await lockNights(folder);', 'const lock = { release() {} };'],
    ['night-spends-before-it-refuses', 'RP-4', "!['these', 'new'].includes(values['gate-scope'])", 'values.help'],
  ]),
  ...mutantsOf('scripts/nightly/artefacts.mjs', NIGHTS, [
    ['night-lost-mark-hides-outcome', 'RP-4', "[this.#named('last-good'), this", "[this.pointer('last-good'), this"],
    ['night-last-good-pruned', 'RP-4', '!needed.has(run)', 'needed.size > 0'],
    ['night-pointer-is-a-path', 'RP-4 RS-4', '!RUN_ID.test(run) || !existsSync', "run === '' || !existsSync"],
  ]),
];
