import { budgetRefused } from '../../core/errors.js';
import type { Owner } from '../../fixture/history.js';
import { showUsd } from '../../ledger/money.js';
import { embeddingCeilings } from '../../matrix/embedding-ceilings.js';
import { isRemote, type RemoteProviderEntry } from '../../matrix/matrix.js';
import { type CallEstimate, estimateCost } from '../../matrix/plan.js';
import { nanoUsdOf, quantaOf } from '../../memory/query-preparation/admission/charge.js';
import type { EmbeddingCeilings } from '../../memory/query-preparation/admission.js';
import type { PlannedOwner, RunPlan } from '../documents.js';
import { embeddingCalls } from '../planning/plan-embedding.js';
import { overhead, worstAdmission } from '../planning/planned-cost.js';
import type { PreparedRun } from '../prepare-run.js';
import { jsonAmount } from '../summary/amounts.js';
import { embeddingPrice } from '../vectors/embedding-space.js';

type PlannedCeilings = Pick<RunPlan['embedding'], 'ceilings' | 'owners' | 'admitted'>;

/**
 * What each owner's vectors need against the ceilings of embedding (MX-6), each request in whole quanta, as the owner's ledger books it. What
 * was spent today is not looked at: the ledger lies in a database, and a plan starts nothing.
 */
export function plannedCeilings(prepared: PreparedRun): PlannedCeilings {
  const embedder = remoteEmbedder(prepared);
  if (embedder === null) return { ceilings: null, owners: [], admitted: 'yes' };
  const { request_nano_usd, day_nano_usd } = embedder.ceilings;
  const owners = byOwner(prepared)
    .map(([owner, own]) => plannedOwner(owner, own, embedder))
    .filter(({ requests }) => requests > 0);
  return {
    ceilings: { request_nano_usd: jsonAmount(request_nano_usd), day_nano_usd: jsonAmount(day_nano_usd) },
    owners,
    admitted: worstAdmission(owners.map(({ admitted }) => admitted)),
  };
}

/**
 * Refuses what the owner's ledger could never admit, before anything starts: a request whose texts alone, without the frame around them,
 * may cost more than its ceiling. Beliefs that are still to be formed are only estimated, and refuse nothing.
 *
 * @throws `EMBEDDING_CEILING_TOO_LOW` (exit 4).
 */
export function assertAdmissible(prepared: PreparedRun): void {
  const embedder = remoteEmbedder(prepared);
  if (embedder === null) return;
  const { request_nano_usd } = embedder.ceilings;
  const least = leastOfLargest(prepared, embedder);
  if (least <= request_nano_usd) return;
  throw budgetRefused(
    'EMBEDDING_CEILING_TOO_LOW',
    `an embedding request of this run may cost $${showUsd(least)}, and the ceiling of one is $${showUsd(request_nano_usd)}`,
    {
      remedy: 'raise `query_preparation.ceilings.request_usd`: `plan` shows what the largest request needs',
      location: prepared.loaded.locate(['query_preparation', 'ceilings', 'request_usd']),
    },
  );
}

interface RemoteEmbedder {
  readonly entry: RemoteProviderEntry;
  readonly ceilings: EmbeddingCeilings;
}

/** Null where nothing leaves the process to be embedded. */
function remoteEmbedder({ loaded: { matrix } }: PreparedRun): RemoteEmbedder | null {
  const { query_preparation: preparation, providers } = matrix;
  const ceilings = embeddingCeilings(matrix);
  if (ceilings === null || preparation === null || preparation === 'off') return null;
  const entry = providers[preparation.embedding.provider];
  return isRemote(entry) ? { entry, ceilings } : null;
}

/** The plans of each owner, in the order in which they first come. */
function byOwner(prepared: PreparedRun): [Owner, PreparedRun][] {
  const keyOf = ({ tenant, principal }: Owner): string => JSON.stringify([tenant, principal]);
  const owners = new Map(
    prepared.plans.map(({ fixture: { manifest } }) => [keyOf(manifest.owner), manifest.owner] as const),
  );
  return [...owners].map(([key, owner]) => {
    const plans = prepared.plans.filter(({ fixture: { manifest } }) => keyOf(manifest.owner) === key);
    return [owner, { ...prepared, plans }];
  });
}

function plannedOwner({ tenant, principal }: Owner, own: PreparedRun, embedder: RemoteEmbedder): PlannedOwner {
  const { ceilings, entry } = embedder;
  const { index, unformed, query, searches } = embeddingCalls(own, entry);
  const calls = [...index, ...unformed, ...query, ...searches];
  let [expected, worst, largest] = [0n, 0n, 0n];
  for (const call of calls) {
    const each = chargeOf(call, own, embedder);
    expected += BigInt(call.sends) * each.expected;
    worst += BigInt(call.sends * call.attempts) * each.worst;
    if (each.worst > largest) largest = each.worst;
  }
  const isHeld = largest <= ceilings.request_nano_usd && worst <= ceilings.day_nano_usd;
  const isNever = leastOfLargest(own, embedder) > ceilings.request_nano_usd;
  return {
    tenant,
    principal,
    requests: calls.reduce((sum, { sends }) => sum + sends, 0),
    largest_request_nano_usd: jsonAmount(largest),
    expected_nano_usd: jsonAmount(expected),
    worst_nano_usd: jsonAmount(worst),
    admitted: isNever ? 'no' : isHeld ? 'yes' : 'not-the-worst-case',
  };
}

/** Of the requests whose texts are known, what the dearest is charged at least. */
function leastOfLargest(prepared: PreparedRun, embedder: RemoteEmbedder): bigint {
  const { index, query } = embeddingCalls(prepared, embedder.entry);
  let most = 0n;
  for (const call of [...index, ...query]) {
    const { worst } = chargeOf({ ...call, worst_bytes: call.expected_bytes }, prepared, embedder);
    if (worst > most) most = worst;
  }
  return most;
}

/** What one attempt at one of these calls is charged. A model that is sent to has a price: without one, the matrix was refused. */
function chargeOf(
  call: CallEstimate,
  { loaded: { matrix } }: PreparedRun,
  { entry }: RemoteEmbedder,
): { readonly expected: bigint; readonly worst: bigint } {
  const cost = estimateCost([{ ...call, sends: 1, attempts: 1 }], embeddingPrice(matrix), overhead(entry));
  const whole = (amount: bigint | null): bigint => nanoUsdOf(quantaOf(amount ?? 0n));
  return { expected: whole(cost.expected_nano_usd), worst: whole(cost.worst_nano_usd) };
}
