import type { Digest } from '../../core/digest.js';
import type { RecallUnit } from '../../memory/memory.js';
import type { RunRecord } from '../run-record.js';

/** A bank that a run's rows rest on. */
export interface UsedBank {
  readonly fixture: string;
  readonly replicate: number;
  readonly digest: Digest;
}

/** The banks that a run replayed or recorded, each once. */
export function usedBanks({ manifest, result }: RunRecord): UsedBank[] {
  return distinct(
    [...manifest.banks, ...result.formation].flatMap(({ fixture, replicate, bank }) =>
      bank === null ? [] : [{ fixture, replicate, digest: bank }],
    ),
  );
}

/** The vector banks that it replayed or recorded, each once. */
export function usedVectorBanks({ manifest, result }: RunRecord): (UsedBank & { readonly unit: RecallUnit })[] {
  const planned = manifest.vector_banks.map(({ fixture, replicate, unit, bank }) => ({
    fixture,
    replicate,
    unit,
    bank,
  }));
  const made = result.formation.flatMap(({ fixture, replicate, vectors }) =>
    vectors.map(({ unit, vector_bank }) => ({ fixture, replicate, unit, bank: vector_bank })),
  );
  return distinct(
    [...planned, ...made].flatMap(({ bank, ...place }) => (bank === null ? [] : [{ ...place, digest: bank }])),
  );
}

function distinct<Used extends UsedBank>(used: readonly Used[]): Used[] {
  const seen = new Set<string>();
  return used.filter(({ fixture, digest }) => seen.size !== seen.add(`${fixture}\0${digest}`).size);
}
