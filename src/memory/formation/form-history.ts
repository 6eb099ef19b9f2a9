import type pg from 'pg';
import { interrupted, RecallMatrixError } from '../../core/errors.js';
import { type FormationBatch, formationSteps } from '../../fixture/batches.js';
import type { HistoryEvent } from '../../fixture/history.js';
import type { CompletionProvider } from '../../provider/completion.js';
import type { BeliefStore, CurrentState } from '../beliefs/belief-store.js';
import { postgresBeliefStore } from '../beliefs/postgres-belief-store.js';
import { type CheckedCompletion, checkCompletion } from './completion-check.js';
import type { FormationOutcome, FormationSettings } from './formation.js';
import type { FormationPolicy } from './formation-policy.js';
import { type BatchToForm, formationRequest } from './formation-request.js';
import { formationPolicy } from './policies.js';

/** The number of formation calls that a history needs: one a batch (FB-8). */
export function countFormationCalls(history: readonly HistoryEvent[]): number {
  return formationSteps(history).filter((step) => step.kind === 'batch').length;
}

/**
 * Forms a whole history into an empty store, in its order (FX-2, FB-4): a call a batch, erasures between calls. What was said is stored
 * before its batch is asked, so it is there even where no belief arises. `MemoryRuntime.form` over Postgres.
 *
 * @param pool of the runtime's role, on a database with `beliefMigrations()`.
 * @param policy of the name in `settings`: the built-in one, unless a policy of the user's own is handed in (RT-6).
 * @param onCall told after each call, with the number done and the number in all.
 * @throws what the provider throws; the `FORMATION_*` errors of `checkCompletion`; kind `database`; kind `interrupted` once the signal is aborted.
 */
export async function formHistory(
  pool: pg.Pool,
  history: readonly HistoryEvent[],
  settings: FormationSettings,
  provider: CompletionProvider,
  signal: AbortSignal,
  onCall?: (done: number, total: number) => void,
  policy: FormationPolicy = formationPolicy(settings.policy),
): Promise<FormationOutcome> {
  const store = postgresBeliefStore(pool, settings.owner);
  const total = countFormationCalls(history);
  let calls = 0;
  await store.assertEmpty();
  for (const [index, step] of formationSteps(history).entries()) {
    assertRunning(signal);
    if (step.kind === 'erasure') {
      await store.eraseTurn(step.of);
      continue;
    }
    const { batch, current } = await storeBatch(store, step.batch);
    const formation = await formationRequest(policy, settings, batch, current);
    const completion = await provider.complete(formation.request, signal);
    const checked = checkCompletion(batch, formation, completion);
    await persist(store, policy, settings, batch.id, index + 1, checked);
    calls += 1;
    onCall?.(calls, total);
  }
  return { calls, ...(await store.counts()) };
}

async function storeBatch(
  store: BeliefStore,
  batch: FormationBatch,
): Promise<{ batch: BatchToForm; current: CurrentState }> {
  if (batch.kind === 'correction') {
    const { turn, current } = await store.correctTurn(batch.correction.of, batch.correction.text);
    return { batch: { id: batch.id, is_correction: true, turns: [turn] }, current };
  }
  const { turns, current } = await store.appendTurns(batch.turns);
  return { batch: { id: batch.id, is_correction: false, turns }, current };
}

/** Ids say the place in the history, from 1: the same history and completions give the same ids. */
async function persist(
  store: BeliefStore,
  policy: FormationPolicy,
  settings: FormationSettings,
  batch: string,
  step: number,
  checked: CheckedCompletion,
): Promise<void> {
  await store.persistBatch(
    {
      batch,
      beliefs: checked.beliefs.map((belief, index) => ({ id: `b${step}.${index + 1}`, ...belief })),
      people: checked.people,
      person_ids: checked.people.map((_person, index) => `p${step}.${index + 1}`),
    },
    { mode: settings.persistence, people_limit: policy.people_limit },
  );
}

function assertRunning(signal: AbortSignal): void {
  if (!signal.aborted) return;
  throw signal.reason instanceof RecallMatrixError ? signal.reason : interrupted('formation was stopped');
}
