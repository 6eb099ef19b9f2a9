import type pg from 'pg';
import { internalFault } from '../../core/errors.js';
import type { Owner } from '../../fixture/history.js';
import type { ItemVectors, Recall, RecallQuery, RecallResult, RecallSettings, Strategy } from '../memory.js';
import type { SemanticQueryLookup } from '../query-preparation/query-preparation.js';
import { indexDocuments } from './document-index.js';
import { openListedRecall } from './listed-recall.js';
import { openOutsideRecall } from './outside-recall.js';
import type { Ranker } from './ranker.js';
import { openFullTextRecall, openSparseRecall } from './sparse-recall.js';
import { openVectorRecall } from './vector-recall.js';

/**
 * Builds what an arm's strategy searches, once, after formation, and gives its recall (RT-1). Each recall reads the
 * live rows, as of the question's time, under its owner and ceiling (RT-3, FX-7).
 *
 * @param pool the runtime's, bound by row security.
 * @param vectors needed by `semantic` and `hybrid` unless every lookup misses.
 * @param lookup needed by `semantic` and `hybrid`, and by no other.
 * @param ranker needed by `module` and `file`, and by no other.
 * @throws internal faults `RECALL_SETTINGS_UNSOUND`; kind `database` where the server is lost; what `vectors` throws.
 */
export async function openRecall(
  pool: pg.Pool,
  settings: RecallSettings,
  owner: Owner,
  vectors: ItemVectors | null,
  lookup: SemanticQueryLookup | null,
  signal: AbortSignal,
  ranker: Ranker | null = null,
): Promise<Recall> {
  signal.throwIfAborted();
  const recall = await openStrategy(pool, settings, owner, vectors, lookup, signal, ranker);
  return {
    recall: async (query, recallSignal) => {
      recallSignal.throwIfAborted();
      refuseUnsoundQuery(query, settings.strategy, owner);
      return recall(query, recallSignal);
    },
  };
}

type RecallOne = (query: RecallQuery, signal: AbortSignal) => Promise<RecallResult>;

async function openStrategy(
  pool: pg.Pool,
  settings: RecallSettings,
  owner: Owner,
  vectors: ItemVectors | null,
  lookup: SemanticQueryLookup | null,
  signal: AbortSignal,
  ranker: Ranker | null,
): Promise<RecallOne> {
  const { strategy, unit, mode } = settings;
  switch (strategy) {
    case 'none':
      return async () => ({ effective_strategy: 'none', lookup_miss: null, items: [] });
    case 'full-history':
    case 'evidence':
      return openListedRecall(pool, unit, mode, strategy, null);
    case 'recency':
      return openListedRecall(pool, unit, mode, strategy, soundLimit(settings));
    case 'full-text':
      await indexDocuments(pool, owner, unit, 'lexemes', false);
      return openFullTextRecall(pool, owner, unit, mode, soundLimit(settings));
    case 'bm25':
      await indexDocuments(pool, owner, unit, 'terms', false);
      return openSparseRecall(pool, owner, unit, mode, soundLimit(settings));
    case 'semantic':
    case 'hybrid': {
      if (lookup === null) throw unsound(`${strategy} needs a lookup of query vectors`);
      const documents = await indexDocuments(pool, owner, unit, 'terms', false);
      const limit = soundLimit(settings);
      return openVectorRecall({ pool, owner, unit, mode, strategy, limit, vectors, lookup }, documents, signal);
    }
    case 'module':
    case 'file':
      if (ranker === null) throw unsound(`${strategy} needs a ranker`);
      return openOutsideRecall({ pool, unit, mode, strategy, limit: soundLimit(settings), ranker });
  }
}

function soundLimit({ strategy, limit }: RecallSettings): number {
  if (limit === null || !Number.isSafeInteger(limit) || limit < 1) throw unsound(`${strategy} with limit ${limit}`);
  return limit;
}

function refuseUnsoundQuery(query: RecallQuery, strategy: Strategy, owner: Owner): void {
  // The one way by which a label could reach a recall (FX-3).
  if ((query.oracle_turns === null) === (strategy === 'evidence')) {
    throw unsound(`${strategy} was handed ${query.oracle_turns === null ? 'no evidence turns' : 'evidence turns'}`);
  }
  if (query.owner.tenant !== owner.tenant || query.owner.principal !== owner.principal) {
    throw unsound('a query of another owner than the recall was opened for');
  }
}

function unsound(what: string): Error {
  return internalFault('RECALL_SETTINGS_UNSOUND', `this recall makes no sense: ${what}`);
}
