import { withAttempts } from '../bank/attempts.js';
import { ReplayingProvider } from '../bank/replaying-provider.js';
import type { Digest } from '../core/digest.js';
import type { Fixture } from '../fixture/fixture.js';
import type { ArmSettings } from '../matrix/matrix.js';
import { builtInRuntime } from '../memory/built-in-runtime.js';
import type { Recall } from '../memory/memory.js';
import type { SemanticQueryLookup } from '../memory/query-preparation/query-preparation.js';
import { barredLookup, lookupOff } from '../memory/query-preparation/query-preparer.js';
import { firstDifference, parityRefusal } from '../parity/compare-states.js';
import type { SealedState } from '../parity/parity.js';
import { readBeliefState } from '../parity/read-belief-state.js';
import type { ScratchDatabase } from '../postgres/postgres.js';
import { unsupportedReason } from '../provider/supported-completion.js';
import type { Usage } from '../provider/usage.js';
import { isOtherSystem, looksVectorsUp, usesVectors } from './arm-needs.js';
import type { CallAccount } from './asking/call-account.js';
import type { ParityStatus } from './experiment.js';
import type { FixtureFormation } from './formation/formation-bank.js';
import { formationSettings, storeMigrations } from './formation/formation-settings.js';
import { recallSettings } from './recall-settings.js';
import { formationOf, type Session } from './session.js';
import { storeTurns } from './store-turns.js';
import type { FixtureVectors } from './vectors/fixture-vectors.js';
import { preparationContext } from './vectors/preparation-context.js';

/** One fixture under one arm, formed, found equal, and ready to be asked. */
export interface Cell {
  readonly arm: ArmSettings;
  readonly database: ScratchDatabase;
  readonly recall: Recall;
  readonly parity: Extract<ParityStatus, 'equal' | 'unpaired' | 'not-applicable'>;
  readonly state: SealedState;
  readonly replayed_calls: number;
  /** Live formation of this cell alone; without calls where a bank was replayed. */
  readonly formation: CallAccount;
  /** What embedding the cell's items takes; null where unknown. */
  readonly index_usage: Usage | null;
  readonly uses_vectors: boolean;
  /** Where its item vectors were replayed from, or recorded to; null where they were embedded for this run, or there are none. */
  readonly vector_bank: Digest | null;
}

/**
 * Prepares a cell: an empty scratch database, the complete formation pipeline on it, the parity gate, and what the strategy searches
 * (FB-4, FB-17, ST-1). The database is dropped where anything fails.
 *
 * @param formation where the calls of a live formation are added up, also of one that fails.
 * @throws kind `bank` where the replay refuses, `parity` where the state differs (naming the first record and field), and what live
 * formation throws.
 */
export async function openCell(
  session: Session,
  fixture: Fixture,
  arm: ArmSettings,
  shared: FixtureFormation,
  vectors: FixtureVectors | null,
  formation: CallAccount,
): Promise<Cell> {
  const formed: FixtureFormation = isOtherSystem(arm) ? { kind: 'none' } : shared;
  const database = await session.postgres.createScratch(await storeMigrations());
  try {
    const ranker = session.userParts.ranker(arm, fixture.manifest.id);
    const runtime = builtInRuntime(database.runtime, { ranker });
    const replayed = await form(session, fixture, arm, formed, database, formation);
    const state = await readBeliefState(database.admin);
    assertParity(formed, state);
    const cellVectors = usesVectors(arm) ? (vectors?.forCell(arm.retrieval.unit) ?? null) : null;
    const recall = await runtime.openRecall(
      recallSettings(arm),
      fixture.manifest.owner,
      cellVectors,
      looksVectorsUp(arm) ? lookupOf(session, fixture, arm, vectors) : null,
      session.signal,
    );
    return {
      arm,
      database,
      recall,
      parity: formed.kind === 'bank' ? 'equal' : formed.kind === 'live' ? 'unpaired' : 'not-applicable',
      state,
      replayed_calls: replayed,
      formation,
      index_usage: cellVectors?.usage ?? null,
      uses_vectors: cellVectors !== null,
      vector_bank: (await cellVectors?.bank()) ?? null,
    };
  } catch (error) {
    await database.drop();
    throw error;
  }
}

function lookupOf(
  { loaded }: Session,
  { manifest }: Fixture,
  arm: ArmSettings,
  vectors: FixtureVectors | null,
): SemanticQueryLookup {
  if (!usesVectors(arm)) return lookupOff;
  if (vectors !== null) return vectors.queries.lookup;
  const context = preparationContext(loaded, manifest);
  return context === null ? lookupOff : barredLookup(manifest.owner, context);
}

/** @returns the number of replayed calls. */
async function form(
  session: Session,
  fixture: Fixture,
  arm: ArmSettings,
  formed: FixtureFormation,
  database: ScratchDatabase,
  account: CallAccount,
): Promise<number> {
  if (formed.kind === 'none') {
    await storeTurns(database.runtime, fixture);
    return 0;
  }
  const runtime = builtInRuntime(database.runtime, { policy: session.userParts.policy });
  const settings = formationSettings(session, fixture);
  if (formed.kind === 'bank') {
    const replaying = new ReplayingProvider(formed.file.bank);
    await runtime.form(fixture.history, settings, replaying, session.signal);
    // Reached only where nothing failed before: an unused recording never hides the real error.
    replaying.assertConsumed();
    return formed.file.bank.call_count;
  }
  const { profile, attempts } = formationOf(session.loaded);
  const attribution = { arm: arm.name, stage: 'formation' as const, fixture: fixture.manifest.id, unit: 'formation' };
  const live = session.providers.completions(profile, fixture, session.ledger, attribution, account.add);
  await runtime.form(
    fixture.history,
    settings,
    withAttempts(live, {
      attempts,
      retry: session.providers.retryRule(profile.provider),
      unsupportedReason,
      clock: session.clock,
    }),
    session.signal,
  );
  return 0;
}

function assertParity(formed: FixtureFormation, found: SealedState): void {
  if (formed.kind !== 'bank') return;
  const difference = firstDifference(formed.state.state, found.state);
  if (difference !== null) throw parityRefusal(difference);
}
