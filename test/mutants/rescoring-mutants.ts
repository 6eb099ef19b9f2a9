import { type Mutant, mutantsOf } from './mutant.js';

const MATRIX = ['src/experiment/rescoring/rescored-matrix.test.ts'];
const RUN = ['src/experiment/rescoring/rescore-run.test.ts'];
const FAMILY = ['src/report/comparison/family.test.ts'];
const BUNDLE = ['src/experiment/bundle/checks/check-bundle.test.ts'];
const ROW = ['src/experiment/rescoring/score-row.test.ts'];

/** Scoring stored answers again: what may change, what stays, and when it counts. */
export const rescoringMutants: readonly Mutant[] = [
  ...mutantsOf('src/experiment/rescoring/rescored-matrix.ts', MATRIX, [
    [
      'rescoring-leaves-scorers-out',
      'RP-6',
      'return before.scoring.every((name) => after.scoring.includes(name));',
      'return true;',
    ],
    [
      'rescoring-redefines-a-judge',
      'OB-7',
      'return Object.hasOwn(mapIn(after, map), path.slice(map.length + 1));',
      'return true;',
    ],
    ['rescoring-changes-the-plan', 'MX-8', 'if (refused.length === 0) return;', 'if (refused.length < 99) return;'],
    ['rescoring-by-an-unknown-scorer', 'MX-2', 'if (problem !== null)', 'if (problem === "")'],
  ]),
  ...mutantsOf('src/experiment/rescoring/rescored-fixtures.ts', RUN, [
    [
      'labels-change-in-silence',
      'FX-1',
      'if (changed.length > 0 && !mayHaveOtherLabels)',
      'if (changed.length > 99 && !mayHaveOtherLabels)',
    ],
    [
      'rescoring-another-history',
      'RP-6',
      'refuseChangedFixtures([before], [{ ...now, labels: before.labels }]);',
      'refuseChangedFixtures([before], [before]);',
    ],
  ]),
  ...mutantsOf('src/experiment/rescoring/rescored-block.ts', RUN, [
    ['rows-keep-their-old-labels', 'FX-1', 'rows.push({ ...scored, labels: scoring.labels });', 'rows.push(scored);'],
    [
      'misses-without-a-state',
      'OB-6',
      "if (!readsBeliefs(arm) || cell.rows.every(({ parity }) => parity === 'not-applicable')) return NO_STATE;",
      'if (cell.rows.length > 0) return NO_STATE;',
    ],
  ]),
  ...mutantsOf('src/experiment/rescoring/rescore-run.ts', RUN, [
    [
      'a-stopped-rescoring-counts',
      'CL-3',
      'if (session.signal.aborted || gate.closedBy !== null) {',
      'if (gate.closedBy !== null) {',
    ],
    ['rescoring-an-unfinished-run', 'RP-6', "refuseUnfinished(past, 'scored again');", ''],
    [
      'rescoring-by-an-older-ledger',
      'LG-12',
      'for (const [arm, sums] of paid) refuseShortLedger(folder, arm, sums, totals);',
      '',
    ],
  ]),
  ...mutantsOf('src/experiment/changed-labels.ts', RUN, [
    ['a-later-rescoring-hides-changed-labels', 'MX-8', 'all.get(change.fixture) ?? change', 'change'],
    ['restored-labels-stay-changed', 'MX-8', 'before !== after', "before !== ''"],
  ]),
  ...mutantsOf('src/report/comparison/datasets.ts', FAMILY, [
    ['a-plan-covers-changed-labels', 'MX-8', ' && !areLabelsChanged(pair),', ','],
  ]),
  ...mutantsOf('src/experiment/bundle/checks/check-manifest.ts', BUNDLE, [
    [
      'changed-labels-denied',
      'RP-7 MX-8',
      'differences(result.changed_labels, changedLabels(manifest.sessions))',
      'differences([], [])',
    ],
  ]),
  ...mutantsOf('src/experiment/bundle/redaction.ts', BUNDLE, [
    ['digests-of-labels-in-sessions', 'RP-7', 'one.changed_labels.map(relabelled)', 'one.changed_labels'],
  ]),
  ...mutantsOf('src/experiment/rescoring/rescoring-session.ts', RUN, [
    ['changed-labels-leave-no-trace', 'MX-8', 'changed.length === 0 ?', 'changed.length < 99 ?'],
    [
      'rescoring-over-its-own-rows',
      'OB-5',
      'timesRescored(manifest.rows_folder) + 1',
      'Math.max(1, timesRescored(manifest.rows_folder))',
    ],
  ]),
  ...mutantsOf('src/experiment/rescoring/rescored-result.ts', RUN, [
    [
      'rescoring-says-an-earlier-one-again',
      'CL-3',
      'isJudged ? resumeOf(facts) : facts.command',
      'isJudged ? before.resume : facts.command',
    ],
  ]),
  ...mutantsOf('src/experiment/rescoring/rescoring-session.ts', RUN, [
    ['a-stopped-rescoring-hides-its-cost', 'LG-12', '    ledger: ledgerResult(totals),\n', ''],
  ]),
  ...mutantsOf('src/experiment/resuming/finished-run.ts', RUN, [
    ['rescoring-what-was-not-formed', 'RP-6', 'isAsked && isFormed', 'isAsked'],
  ]),
  ...mutantsOf('src/experiment/rescoring/score-row.ts', ROW, [
    ['an-answer-alone-is-ranked', 'RT-7', 'ranks(arm) && !isGivenAlone', 'ranks(arm)'],
    ['a-failure-is-no-question', 'OB-4', ' && row.answer !== null;', ';'],
  ]),
];
