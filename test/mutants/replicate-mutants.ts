import { type Mutant, mutantsOf } from './mutant.js';

const REPLICATES = ['src/experiment/replicates.test.ts'];
const COMPONENT = ['src/experiment/summary/between-banks.test.ts'];

/** Replicates: banks of one identity, and what scores differ by between them (FB-18). */
export const replicateMutants: readonly Mutant[] = [
  ...mutantsOf(
    'src/experiment/block-id.ts',
    ['src/experiment/block-id.test.ts'],
    [['replicate-named-like-a-fixture', 'FB-18', '`${fixture}@${replicate}`', '`${fixture}.${replicate}`']],
  ),
  ...mutantsOf('src/experiment/formation/formation-bank.ts', REPLICATES, [
    [
      'replicates-share-a-bank',
      'FB-18 MX-5',
      '    implementation,\n    replicate,\n',
      '    implementation,\n    replicate: 1,\n',
    ],
    [
      'other-replicate-is-nearest',
      'FB-18',
      "differs[0] === 'replicate' && bank",
      "differs[0] === 'replicates' && bank",
    ],
  ]),
  ...mutantsOf('src/matrix/replicates.ts', REPLICATES, [
    ['one-pin-for-all-replicates', 'FB-12 FB-18', '[replicate - 1] ?? null', '[0] ?? null'],
  ]),
  ...mutantsOf(
    'src/matrix/replicates.ts',
    ['src/matrix/load-matrix.test.ts'],
    [
      [
        'replicates-without-banks',
        'FB-18 MX-2',
        "if (bank === 'off' && replicates > 1)",
        "if (bank === 'off' && replicates > 100)",
      ],
      ['pin-beyond-the-last-replicate', 'FB-12 MX-2', 'digests.length <= replicates', 'digests.length <= 100'],
    ],
  ),
  ...mutantsOf(
    'src/experiment/resuming/run-changes.ts',
    ['src/experiment/replicates-continued.test.ts'],
    [
      [
        'any-replicate-will-do',
        'OB-5 FB-18',
        'blockName(blockOf(one)) === blockName(block)',
        'one.fixture.manifest.id === block.fixture',
      ],
    ],
  ),
  ...mutantsOf('src/experiment/summary/arm-costs.ts', REPLICATES, [
    ['every-bank-is-paid-for', 'OB-2 FB-18', 'jsonAmount(roundedUp(own.fixed, own.banks))', 'jsonAmount(own.fixed)'],
  ]),
  ...mutantsOf('src/experiment/summary/between-banks.ts', COMPONENT, [
    ['questions-are-noise', 'FB-18', '- (ofQuestions[question] as number) ', '- whole '],
    ['residual-is-of-banks', 'FB-18', 'const estimate = (between - residual)', 'const estimate = between'],
    ['component-below-zero', 'FB-18', 'component: Math.max(0, estimate)', 'component: estimate'],
    [
      'question-that-a-bank-lost',
      'FB-18',
      'scores.every((score) => score !== null)',
      'scores.some((score) => score !== null)',
    ],
    ['one-bank-has-a-component', 'FB-18', 'if (replicates < 2) return null;', ''],
  ]),
];
