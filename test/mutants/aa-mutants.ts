import { type Mutant, mutantsOf } from './mutant.js';

const MATRIX = ['src/matrix/aa-arm.test.ts'];
const RUN = ['src/experiment/aa-run.test.ts'];

/** An arm that runs twice (RP-8). */
export const aaMutants: readonly Mutant[] = [
  ...mutantsOf('src/matrix/aa-arm.ts', MATRIX, [
    ['aa-of-no-arm', 'RP-8 MX-2', 'if (arm === undefined)', "if (arm === undefined && name === '')"],
    ['aa-of-a-reference', 'RP-8 MX-2', "strategy === 'full-history' ||", "strategy === 'evidence' ||"],
    ['aa-beside-its-namesake', 'RP-8 MX-2', 'one.name.toLowerCase() === aaName', 'one.name === aaName'],
    ['aa-that-is-not-marked', 'RP-8', ', aa_of: arm.name }', ' }'],
  ]),
  ...mutantsOf('src/matrix/load-matrix.ts', MATRIX, [
    ['aa-of-the-matrix-first', 'RP-8', 'aa ?? authored.aa ?? aaOfRun', 'authored.aa ?? aa ?? aaOfRun'],
  ]),
  ...mutantsOf('src/experiment/resuming/extend-run.ts', RUN, [
    ['extension-forgets-aa', 'RP-8 OB-8', 'aaOfRun: aaOf(before.matrix)', 'aaOfRun: null'],
  ]),
  ...mutantsOf('src/experiment/resuming/resume-run.ts', RUN, [
    ['resume-forgets-aa', 'RP-8 OB-5', 'aaOfRun: aaOf(loaded.matrix)', 'aaOfRun: null'],
  ]),
  ...mutantsOf(
    'src/experiment/reproducing/expect-bank.ts',
    ['src/experiment/reproducing/reproduce-misses.test.ts'],
    [['aa-is-expected-too', 'RP-8 RP-1', 'aa_of === undefined && context === undefined', 'context === undefined']],
  ),
  ...mutantsOf('src/experiment/summary/analysis-result.ts', RUN, [
    ['aa-is-exploratory', 'RP-8 MX-8', 'aa_of === undefined && !planned', '!planned'],
  ]),
];
