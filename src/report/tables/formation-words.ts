import type { FormationResult, VectorResult } from '../../experiment/experiment.js';

/** Where formation came from, in words. */
export const FORMATION_SOURCES: Readonly<Record<FormationResult['source'], string>> = {
  recorded: 'recorded now',
  replayed: 'replayed (no new formation call)',
  live: 'formed live in every cell: UNPAIRED',
  none: 'no formation',
  failed: 'FAILED',
};

/** The same of vectors. */
export const VECTOR_SOURCES: Readonly<Record<VectorResult['source'], string>> = {
  recorded: 'recorded now',
  replayed: 'replayed',
  embedded: 'embedded now',
  failed: 'FAILED',
};
