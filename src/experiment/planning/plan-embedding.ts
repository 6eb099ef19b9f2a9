import { isRemote, type RemoteProviderEntry } from '../../matrix/matrix.js';
import { type CallEstimate, contextBytes, estimateCost } from '../../matrix/plan.js';
import { queryText } from '../../memory/query-preparation/query-identity.js';
import { EMBEDDINGS_BATCH } from '../../provider/openai/embeddings.js';
import { usesVectors } from '../arm-needs.js';
import type { PlannedCost } from '../documents.js';
import type { BankPlan } from '../formation/formation-bank.js';
import { lookedUpQuestions, type PreparedRun, vectorPlans } from '../prepare-run.js';
import { embeddingPrice } from '../vectors/embedding-space.js';
import { type QueryGroup, queryGroups } from '../vectors/query-groups/query-groups.js';
import { queryOf } from '../vectors/query-vectors.js';
import { mostSearches, SEARCH_BYTES } from './plan-deliberate.js';
import { unpinnedQuestions, type VectorPlan } from './plan-vectors.js';
import { inProcess, overhead, planned } from './planned-cost.js';

/** Bytes of a body beside its texts: model, dimensions, format. */
const FRAME_BYTES = 256;
/** A belief's length, where beliefs are still to be formed. */
const BELIEF_BYTES = 100;
/** Of what a formation call may say, the part that is expected. */
const EXPECTED_OUTPUT_SHARE = 4;

/** Of the vectors of items and of questions. */
export interface EmbeddingCosts {
  readonly index: PlannedCost;
  /** A call is a group of questions. */
  readonly query: PlannedCost;
  /** Different questions that no vector bank pins. */
  readonly questions: number;
}

/** What preparing vectors would send and cost (MX-6): items (index) that no vector bank holds, and questions (query) that none pins. */
export function embeddingCosts(prepared: PreparedRun): EmbeddingCosts {
  const { matrix } = prepared.loaded;
  const { query_preparation: preparation } = matrix;
  const alias = preparation === null || preparation === 'off' ? null : preparation.embedding.provider;
  const entry = alias === null ? undefined : matrix.providers[alias];
  if (entry === undefined) return { index: inProcess(0), query: inProcess(0), questions: 0 };
  const questions = queryGroupsOf(prepared).flat().length;
  if (!isRemote(entry)) {
    const due = prepared.plans.flatMap((plan) => dueOf(prepared, plan));
    const items = due.reduce((sum, { size }) => sum + (size?.texts ?? 0), 0);
    const queries = queryCalls(prepared).length + searchesOf(prepared).sends;
    return { index: inProcess(items), query: inProcess(queries), questions };
  }
  const { index, unformed, query, searches } = embeddingCalls(prepared, entry);
  const cost = (calls: readonly CallEstimate[]): PlannedCost =>
    planned(calls, estimateCost(calls, embeddingPrice(matrix), overhead(entry)));
  return { index: cost([...index, ...unformed]), query: cost([...query, ...searches]), questions };
}

/** The requests that a remote embedder would be sent. */
export interface EmbeddingCalls {
  /** Of items whose texts are known. */
  readonly index: readonly CallEstimate[];
  /** Of beliefs that are still to be formed: estimated. */
  readonly unformed: readonly CallEstimate[];
  readonly query: readonly CallEstimate[];
  /** Of queries that deliberate readers may make up: estimated (RT-8). */
  readonly searches: readonly CallEstimate[];
}

/** The requests of all the plans, by what is known of their texts. */
export function embeddingCalls(
  prepared: PreparedRun,
  { retry: { attempts } }: Pick<RemoteProviderEntry, 'retry'>,
): EmbeddingCalls {
  const due = prepared.plans.flatMap((plan) => dueOf(prepared, plan).map(({ size }) => ({ plan, size })));
  return {
    index: due.flatMap(({ size }) => (size?.request_bytes ?? []).map((bytes) => call(1, bytes, bytes, attempts))),
    unformed: due.flatMap(({ plan, size }) =>
      size === null ? [unformedBeliefs(prepared, plan.fixture.batch_bytes.length, plan.action, attempts)] : [],
    ),
    query: queryCalls(prepared),
    searches: [searchesOf(prepared)].filter(({ sends }) => sends > 0),
  };
}

/** What a block has to embed. Replicates of a fixture have the same turns, whose bank the first of them records. */
function dueOf(prepared: PreparedRun, plan: BankPlan): VectorPlan[] {
  return vectorPlans(prepared, plan).filter(
    ({ unit, action }) => action === 'embed' || (action === 'record' && (unit === 'beliefs' || plan.replicate === 1)),
  );
}

/** Beliefs that are still to be formed: of every formation call a quarter of its output limit is expected, and all of it at worst. */
function unformedBeliefs(prepared: PreparedRun, batches: number, action: string, attempts: number): CallEstimate {
  const { formation, arms } = prepared.loaded.matrix;
  const cells =
    action === 'live' ? arms.filter((arm) => usesVectors(arm) && arm.retrieval.unit === 'beliefs').length : 1;
  const { expected, worst } = contextBytes(batches * (formation?.profile.parameters.max_output_tokens ?? 0));
  const texts = Math.ceil(worst / BELIEF_BYTES);
  const requests = Math.max(
    1,
    Math.ceil(texts / EMBEDDINGS_BATCH.max_texts),
    Math.ceil(worst / EMBEDDINGS_BATCH.max_bytes),
  );
  const each = (bytes: number): number => Math.ceil(bytes / requests);
  return call(requests * cells, each(expected / EXPECTED_OUTPUT_SHARE), each(worst), attempts);
}

/** One request a group, for all arms and repeats, and never tried again (SQ-2, SQ-8). */
function queryCalls(prepared: PreparedRun): CallEstimate[] {
  return queryGroupsOf(prepared).map((group) => {
    const bytes = group.reduce((sum, query) => sum + Buffer.byteLength(JSON.stringify(queryText(query))) + 1, 0);
    return call(1, bytes, bytes, 1);
  });
}

/** The groups in which the run will prepare what no vector bank pins. */
function queryGroupsOf(prepared: PreparedRun): QueryGroup[] {
  return prepared.plans.flatMap((plan) => {
    const plans = vectorPlans(prepared, plan);
    if (plans.length === 0) return [];
    const { fixture } = plan;
    const unpinned = unpinnedQuestions(plans, lookedUpQuestions(prepared, fixture));
    const queries = unpinned.map((question) => queryOf(fixture.manifest.owner, question));
    return queryGroups(queries, () => false);
  });
}

/** What deliberate readers may have prepared, beside the questions. */
function searchesOf(prepared: PreparedRun): CallEstimate {
  return call(mostSearches(prepared), SEARCH_BYTES.expected, SEARCH_BYTES.worst, 1);
}

function call(sends: number, expected: number, worst: number, attempts: number): CallEstimate {
  return { sends, expected_bytes: expected, worst_bytes: worst + FRAME_BYTES, max_output_tokens: 0, attempts };
}
