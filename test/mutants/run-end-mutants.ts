import { type Mutant, mutantsOf } from './mutant.js';

const ROOM = 'src/report/tables';

/** What a run says at its end (CL-1, OB-4). */
export const runEndMutants: readonly Mutant[] = [
  ...mutantsOf(
    `${ROOM}/arm-table.ts`,
    [`${ROOM}/arm-table.test.ts`],
    [
      ['wider-than-a-terminal', 'CL-1', 'name.length <= room', 'name.length > 0'],
      ['names-cut-at-the-end', 'CL-1', '${name.slice(-end)}', ''],
      ['aa-among-the-ranked', 'RP-8', '!isForScale(arm)', '!arm.reference'],
      ['reference-among-the-ranked', 'RT-1', '!isForScale(arm)', 'arm.aa_of === null'],
    ],
  ),
  ...mutantsOf(
    `${ROOM}/denominators.ts`,
    [`${ROOM}/run-notes.test.ts`],
    [
      [
        'one-denominator-for-all-arms',
        'OB-4',
        'for (const { arm, score_details } of arms)',
        'for (const { arm, score_details } of arms.slice(0, 1))',
      ],
      ['lost-rows-go-unsaid', 'OB-4', '...(lost > 0 ?', '...(lost > 30 ?'],
    ],
  ),
  ...mutantsOf(
    'src/report/few-conversations.ts',
    [`${ROOM}/run-notes.test.ts`],
    [['narrow-by-chance-goes-unsaid', 'RP-3', 'fewest >= FEW_CONVERSATIONS', 'fewest >= 1']],
  ),
  ...mutantsOf(
    `${ROOM}/conclusion.ts`,
    [`${ROOM}/conclusion.test.ts`],
    [
      [
        'withheld-verdict-is-concluded',
        'CL-1 OB-4',
        "if (verdict.kind === 'better' || verdict.kind === 'worse') continue;",
        "if (verdict.kind !== 'not-told-apart' && verdict.kind !== 'could-not-be-told') continue;",
      ],
      ['uncompared-is-concluded', 'CL-1', 'if (contrasts === null)', 'if (contrasts === undefined)'],
    ],
  ),
  ...mutantsOf(
    'src/cli/colours.ts',
    ['src/cli/colours.test.ts'],
    [['no-color-unheard', 'CL-1', 'if (isSet(NO_COLOR) || !isWanted)', 'if (!isWanted)']],
  ),
  ...mutantsOf(
    'src/cli/progress.ts',
    ['src/cli/progress.test.ts'],
    [
      [
        'bar-in-a-file',
        'CL-1',
        'return io.stderr.isTTY === true ? barDisplay(io) : lineDisplay(io);',
        'return barDisplay(io);',
      ],
      ['bar-without-money', 'CL-1', '{eta_formatted}{money}', '{eta_formatted}'],
      ['line-for-every-answer', 'CL-1', 'if (told.get(event.stage) === part) return;', ''],
    ],
  ),
];
