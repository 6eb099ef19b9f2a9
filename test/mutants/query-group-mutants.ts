import { type Mutant, mutantsOf } from './mutant.js';

/** Query preparation as the experiment uses it: which arms, in which groups, whose turn, and what is said of it. */
export const queryGroupMutants: readonly Mutant[] = [
  ...mutantsOf(
    'src/matrix/check-modes.ts',
    ['src/matrix/arm-preparation.test.ts'],
    [
      [
        'preparation-off-without-vectors',
        'SQ-2',
        "if (arm.query_preparation === 'on' || scoresVectors(strategy)) return;",
        'if (scoresVectors(strategy) || index >= 0) return;',
      ],
    ],
  ),
  ...mutantsOf(
    'src/matrix/axes.ts',
    ['src/matrix/arm-preparation.test.ts'],
    [
      [
        'preparation-axis-of-every-arm',
        'SQ-2 MX-3',
        "if (key === 'query_preparation') return scoresVectors(strategy as Strategy);",
        "if (key === 'query_preparation') return strategy !== 'none';",
      ],
    ],
  ),
  ...mutantsOf(
    'src/experiment/arm-needs.ts',
    ['src/experiment/arm-preparation.test.ts'],
    [
      [
        'preparation-off-is-prepared',
        'SQ-2',
        "return looksVectorsUp(arm) && arm.query_preparation !== 'off';",
        'return looksVectorsUp(arm);',
      ],
    ],
  ),
];
