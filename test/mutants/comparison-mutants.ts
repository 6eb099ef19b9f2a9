import { type Mutant, mutantsOf } from './mutant.js';

const ROOM = 'src/report/comparison';
const COMPARE = [`${ROOM}/compare.test.ts`];
const FAMILY = [`${ROOM}/family.test.ts`];
const VERDICT = [`${ROOM}/verdicts/verdict.test.ts`];
const NOTES = [`${ROOM}/comparison-notes.test.ts`];
const ROWS = [`${ROOM}/arm-rows.test.ts`];
const NOISE = [`${ROOM}/noise-floor.test.ts`];
const FACTORS = [`${ROOM}/factors/factors.test.ts`];
const MATRIX_FACTORS = [`${ROOM}/factors/matrix-factors.test.ts`];
const TREATMENT = [`${ROOM}/factors/treatment.test.ts`];
const RECORD = ['src/experiment/reading/open-run-record.test.ts'];

/** What comparisons refuse and never say (RP-2, RP-3, OB-4), and how a run's folder is read. */
export const comparisonMutants: readonly Mutant[] = [
  ...mutantsOf(`${ROOM}/compare.ts`, NOISE, [
    ['noise-floor-not-told', 'RP-8', '[{ base: armOfRun(run, arm), head', '[{ base: armOfRun(run, name), head'],
  ]),
  ...mutantsOf(`${ROOM}/verdicts/verdict-sentence.ts`, VERDICT, [
    ['interval-without-0-unexplained', 'RP-3', 'found.lo <= 0 && found.hi >= 0', 'found.lo <= 1'],
  ]),
  ...mutantsOf(`${ROOM}/datasets.ts`, ROWS, [
    ['noise-floor-of-in-sample', 'RP-8 LE-6', '.without(learntFrom(pair))', ''],
  ]),
  ...mutantsOf(`${ROOM}/datasets.ts`, FAMILY, [
    ['detectable-before-holm', 'RP-3 MX-8', 'planned ? alpha / family : alpha', 'alpha'],
  ]),
  ...mutantsOf(`${ROOM}/factors/refusals.ts`, FACTORS, [
    ['unlike-corpora-compared', 'RP-2', 'if (one.corpus !== other.corpus)', 'if (one.id !== other.id)'],
    ['unlike-loads-compared', 'RP-2', 'if (one.load === other.load) return [];', 'return [];'],
    [
      'fixture-of-one-side-passed-over',
      'RP-2',
      'if (one === undefined || other === undefined) return [otherFixture(id, one === undefined ? head : base)];',
      'if (one === undefined || other === undefined) return [];',
    ],
    [
      'degraded-arms-compared',
      'RP-2 SQ-1',
      'if (isAllowed) return;\n  const faults = degradedArms',
      'if (!isAllowed) return;\n  const faults = degradedArms',
    ],
    [
      'unlike-banks-compared',
      'RP-2',
      'if (differing.length === 0 || isAllowed) return;',
      'if (differing.length === 0 || !isAllowed) return;',
    ],
  ]),
  ...mutantsOf(`${ROOM}/factors/treatment.ts`, TREATMENT, [
    ['two-factors-are-one-treatment', 'RP-2', 'roots.length === 1 && first', 'roots.length >= 1 && first'],
    ['a-ruler-is-a-treatment', 'RP-2', ' && FACTOR_KINDS[first].measures !== true\n', '\n'],
    [
      'what-follows-confounds',
      'RP-2',
      'roots.filter((name) => !isTreatment(name))',
      'differing.filter((name) => !isTreatment(name) && FACTOR_KINDS[name].scoreless !== true)',
    ],
    [
      'prices-confound',
      'RP-2',
      '!follows(name, differing) && FACTOR_KINDS[name].scoreless !== true)',
      '!follows(name, differing))',
    ],
  ]),
  ...mutantsOf(`${ROOM}/factors/run-factors.ts`, FACTORS, [
    ['prompt-not-compared', 'RP-2', 'digest: reader.prompt.digest }))', 'digest: reader.prompt.name }))'],
    ['labels-not-compared', 'RP-2', 'return before === labels ? []', "return before !== '' ? []"],
    [
      'rescoring-program-not-compared',
      'RP-2 RP-6',
      'scored_by: scoredBy(manifest).program',
      'scored_by: scoredBy(manifest).version',
    ],
    ['packages-not-compared', 'RP-2', '      packages: tool.packages,\n', ''],
  ]),
  ...mutantsOf(`${ROOM}/factors/run-factors.ts`, MATRIX_FACTORS, [
    ['region-not-compared', 'RP-2 SQ-7', ', region }, sensitivity', ' }, sensitivity'],
    [
      'what-is-sent-not-compared',
      'RP-2',
      '{ kind, wire_api, output_limit_field, endpoint:',
      '{ kind, wire_api, endpoint:',
    ],
  ]),
  ...mutantsOf(`${ROOM}/factors/differing-limits.ts`, MATRIX_FACTORS, [
    ['timeouts-not-compared', 'RP-2', '{ timeout_ms, retry }]];', '{ retry }]];'],
    ['limits-of-one-side-differ', 'RP-2', 'other[role] !== undefined', 'role !== undefined'],
  ]),
  ...mutantsOf(`${ROOM}/factors/arm-pair-factors.ts`, FACTORS, [
    ['live-states-not-compared', 'RP-2 FB-16', '(live_states === null ? state : own)', 'state'],
    [
      'reported-models-not-compared',
      'RP-2 PR-4',
      "...found('reported-models', null, differingModels(base, head)),",
      '',
    ],
    [
      'lessons-of-all-arms-differ',
      'RP-2 LE-6',
      "injects(side) ? (side.record.manifest.lesson_projection ?? 'none') : 'none'",
      "side.record.manifest.lesson_projection ?? 'none'",
    ],
  ]),
  ...mutantsOf(`${ROOM}/contrast.ts`, VERDICT, [
    ['agreement-by-chance-is-a-finding', 'RP-3', 'Math.max(found.p, these.p)', 'Math.min(found.p, these.p)'],
    [
      'equal-differences-told-by-few',
      'RP-3',
      "signFlip.kind === 'tested' && signFlip.could_reach_alpha",
      "signFlip.kind === 'tested'",
    ],
    ['sign-flip-never-in-the-place-of-t', 'RP-3', '? signFlip.p : null', '? null : null'],
  ]),
  ...mutantsOf(`${ROOM}/family.ts`, FAMILY, [
    [
      'family-of-what-is-tested-alone',
      'RP-3 MX-8',
      'members.filter((member) => member.planned);',
      'members.filter((member) => member.planned && member.numbers.pairs > 0);',
    ],
    [
      'exploratory-in-the-family',
      'MX-8',
      'members.filter((member) => member.planned);',
      'members.filter((member) => member.numbers.pairs >= 0);',
    ],
  ]),
  ...mutantsOf(`${ROOM}/verdicts/verdict.ts`, VERDICT, [
    [
      'disagreeing-means-give-a-verdict',
      'OB-4',
      "return 'withheld';\n  return facts.references",
      'return counted;\n  return facts.references',
    ],
    ['references-are-ranked', 'RT-2', "facts.references.length > 0 ? 'reference' : counted", 'counted'],
    [
      'verdict-before-holm',
      'RP-3',
      'told(tests.as_zero.estimate, adjusted.as_zero, alpha)',
      'told(tests.as_zero.estimate, tests.as_zero.p, 1)',
    ],
  ]),
  ...mutantsOf(`${ROOM}/verdicts/verdict.ts`, FACTORS, [
    ['unlike-rulers-give-a-verdict', 'RP-2', "if (pairs > 0 && facts.measures.length > 0) return 'withheld';", ''],
  ]),
  ...mutantsOf(`${ROOM}/verdicts/verdict-basis.ts`, VERDICT, [
    ['five-conversations-not-significant', 'RP-3', 'if (!found.could_reach_alpha)', 'if (found.p < 0)'],
    ['sizes-of-conversations-untold', 'RP-3', 'largest * questions.size <= 1.5 * pairs', 'largest <= pairs'],
    ['exploratory-untold', 'MX-8', 'facts.planned ? [] : [exploratory(facts)]', '[]'],
  ]),
  ...mutantsOf(`${ROOM}/comparison-notes.ts`, NOTES, [
    ['compared-by-few-unsaid', 'RP-3', '...fewConversationsNotes(clustersOf(facts.datasets)),', ''],
    [
      'reference-of-one-side-left-out-unsaid',
      'RP-2',
      'isReference(base, name) !== isReference(head, name)',
      'isReference(base, name) && isReference(head, name)',
    ],
  ]),
  ...mutantsOf(`${ROOM}/choose-scorers.ts`, COMPARE, [
    ['others-drown-the-primary', 'RP-3', "asked === 'primary' ? [primary] :", "asked === 'all' ? [primary] :"],
    ['scorer-of-a-gate-not-compared', 'RP-4', '[...named, ...gated]', 'named'],
    ['other-scores-untold', 'MX-8', "asked === 'primary' ? common.filter", "asked === 'all' ? common.filter"],
  ]),
  ...mutantsOf(`${ROOM}/arm-rows.ts`, ROWS, [
    [
      'failures-stay-in-the-other-mean',
      'OB-4',
      "fate === 'failed' && failures === 'left-out'",
      "fate === 'lost' && failures === 'left-out'",
    ],
    ['in-sample-stays-in', 'LE-6', 'if (!isIn(questions, row)) kept.add(row);', 'kept.add(row);'],
    ['rows-never-made-not-lost', 'RP-4', 'if (!is_finished) own.addUnmade', 'if (rows.length < 0) own.addUnmade'],
    ['rows-not-judged-not-lost', 'RP-4', "(isUnscored(row, scorer) ? 'lost' : null)", 'null'],
  ]),
  ...mutantsOf(`${ROOM}/pairs-of-arms.ts`, FAMILY, [
    [
      'asked-contrast-leaves-its-family',
      'MX-8',
      ': pair(head, base, true, false),',
      ': pair(head, base, false, false),',
    ],
    [
      'other-primaries-are-planned',
      'MX-8',
      'base.matrix.analysis.primary === head.matrix.analysis.primary',
      'base.run !== head.run',
    ],
  ]),
  ...mutantsOf(`${ROOM}/arm-of-run.ts`, NOISE, [
    ['twins-compared-unasked', 'RP-8', '!reference && aa_of === undefined', '!reference'],
  ]),
  ...mutantsOf(`${ROOM}/arm-of-run.ts`, VERDICT, [
    ['references-compared-unasked', 'RT-2', '!reference && aa_of === undefined', 'aa_of === undefined'],
  ]),
  ...mutantsOf('src/experiment/reading/open-run-record.ts', RECORD, [
    ['running-run-read-as-ended', 'OB-5', "if (manifest.status === 'running')", "if (manifest.run === '')"],
  ]),
  ...mutantsOf('src/experiment/reading/recorded-request.ts', RECORD, [
    ['changed-request-believed', 'RP-5', "if (digestText(text.replace(/\\n$/, '')) !== digest)", "if (text === '')"],
  ]),
  ...mutantsOf('src/experiment/reading/recorded-state.ts', RECORD, [
    ['changed-state-believed', 'RP-5', 'if (found !== digest)', "if (found === '')"],
  ]),
  ...mutantsOf('src/experiment/reading/recorded-fixture.ts', RECORD, [
    ['changed-history-shown', 'RP-5', 'if (fixture.corpus !== facts.corpus)', "if (facts.corpus === '')"],
    [
      'changed-labels-shown',
      'RP-5',
      'return now.labels === facts.labels ? null',
      'return now.labels !== facts.corpus ? null',
    ],
  ]),
  ...mutantsOf('src/experiment/reading/recorded-matrix.ts', RECORD, [
    [
      'arm-name-leaves-the-folder',
      'RS-4',
      'if (parsed.success) return loaded;',
      'if (parsed !== undefined) return loaded;',
    ],
  ]),
  ...mutantsOf('src/experiment/run-manifest.ts', RECORD, [
    ['fixture-name-leaves-the-folder', 'RS-4', 'z.string().regex(FIXTURE_ID_PATTERN)', 'z.string()'],
  ]),
  ...mutantsOf('src/experiment/resuming/committed-rows.ts', RECORD, [
    ['second-result-of-a-finished-cell', 'OB-5', '  lastResults(rows, () => false);\n', ''],
    ['unfinished-cell-read', 'OB-5', '(await isThere(folder.rowsPath(arm, block))) ? null', 'folder.id === arm ? null'],
  ]),
];
