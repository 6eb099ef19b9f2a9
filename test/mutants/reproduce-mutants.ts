import { type Mutant, mutantsOf } from './mutant.js';

const COMPARING = ['src/experiment/reproducing/reproduction.test.ts'];

/** Reproducing: what counts as equal, and what is refused (RP-1). */
export const reproduceMutants: readonly Mutant[] = [
  ...mutantsOf('src/experiment/reproducing/reproduction.ts', COMPARING, [
    ['reproduction-finds-all-equal', 'RP-1', 'if (before !== now) return', 'if (before === null) return'],
    ['reproduction-forgets-missing-rows', 'RP-1', 'missing: past.length - met,', 'missing: 0,'],
  ]),
  ...mutantsOf(
    'src/experiment/reproducing/reproduce.ts',
    ['src/experiment/reproducing/reproduce-missed.test.ts'],
    [['reproduction-forgets-misses', 'RP-1', 'of kept?.missed ?? []', 'of kept?.missed.size === 0 ? kept.missed : []']],
  ),
  ...mutantsOf('src/experiment/reproducing/retrieval-digest.ts', COMPARING, [
    [
      'reproduction-without-order',
      'RP-1',
      'const items = retrieved.map(({ id, sources }) => ({ id, sources }));',
      'const items = retrieved.map(({ id, sources }) => ({ id, sources })).sort((a, b) => (a.id < b.id ? -1 : 1));',
    ],
  ]),
  ...mutantsOf(
    'src/experiment/reproducing/replayed-reader.ts',
    ['src/experiment/reproducing/replayed-reader.test.ts'],
    [
      [
        'reader-replays-another-request',
        'RP-1',
        'const turn = known.get(digest);\n          if (turn === undefined)',
        'const turn = [...known.values()][0];\n          if (turn === undefined)',
      ],
    ],
  ),
  ...mutantsOf(
    'src/experiment/prepare-run.ts',
    ['src/experiment/reproducing/reproduce-misses.test.ts'],
    [
      [
        'withheld-question-wants-a-vector',
        'RP-1 SQ-7',
        '!isBarred(run.loaded, plan.fixture.manifest, question)',
        'question.id !== null',
      ],
    ],
  ),
];
