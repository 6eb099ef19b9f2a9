import type { FixtureManifest } from '../../fixture/fixture.js';
import { isRemote, type LoadedMatrix } from '../../matrix/matrix.js';
import { outsideResidency } from '../../memory/query-preparation/guards/residency.js';
import { mayLeave } from '../../memory/query-preparation/guards/sensitivity.js';
import type { EgressRules, PreparationContext } from '../../memory/query-preparation/query-preparation.js';
import { embeddingSpace } from './embedding-space.js';

/** What the experiment supplies for every preparation of a fixture's questions (SQ-3); null where nothing is prepared. */
export function preparationContext(
  loaded: LoadedMatrix,
  { residency }: Pick<FixtureManifest, 'residency'>,
): PreparationContext | null {
  const { formation, query_preparation: preparation, providers } = loaded.matrix;
  const space = embeddingSpace(loaded);
  if (space === null || preparation === null || preparation === 'off') return null;
  return {
    policy_version: formation?.policy ?? 'none',
    retrieval_policy_version: 'recall@1',
    surface: 'recall-matrix/run',
    task: loaded.digest,
    sensitivity_floor: preparation.sensitivity_floor,
    embedding: space.embedding,
    pricing: space.pricing,
    egress: egressOf(providers[preparation.embedding.provider], residency ?? null),
  };
}

function egressOf(
  entry: LoadedMatrix['matrix']['providers'][string] | undefined,
  residency: EgressRules['residency'],
): EgressRules {
  return isRemote(entry)
    ? { leaves_process: true, region: entry.region ?? null, residency }
    : { leaves_process: false, region: null, residency };
}

/** What keeps all of a fixture from the embedder, questions and items alike, and why, in words (SQ-7). */
export interface FixtureBar {
  readonly miss: 'withheld:sensitivity' | 'withheld:residency';
  readonly why: string;
}

/** The same of a fixture of a matrix; null where it may be embedded, or nothing is. */
export function whollyWithheld(loaded: LoadedMatrix, manifest: Pick<FixtureManifest, 'residency'>): FixtureBar | null {
  const context = preparationContext(loaded, manifest);
  return context === null ? null : fixtureBar(context);
}

/** Asked before anything of a fixture is embedded; null where nothing bars it. */
export function fixtureBar({ sensitivity_floor: floor, egress }: PreparationContext): FixtureBar | null {
  if (!mayLeave(floor)) return { miss: 'withheld:sensitivity', why: `the floor is ${floor}` };
  const why = egress.leaves_process ? outsideResidency(egress) : null;
  return why === null ? null : { miss: 'withheld:residency', why };
}
