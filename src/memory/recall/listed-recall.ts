import type pg from 'pg';
import type { RecallMode, RecallQuery, RecallResult, RecallUnit } from '../memory.js';
import { callRecall, type Found, type StoredItem } from './recall-database.js';
import { ranked, scopeOf } from './recall-result.js';

/**
 * Strategies that rank nothing: `full-history` gives everything in order of time, then of store position; `evidence` the turns it is
 * handed, or the beliefs that rest on any of them, in the same order; `recency` the latest first, of one time the last stored first.
 * A belief's time is when it was observed.
 */
export function openListedRecall(
  pool: pg.Pool,
  unit: RecallUnit,
  mode: RecallMode,
  strategy: 'full-history' | 'evidence' | 'recency',
  limit: number | null,
): (query: RecallQuery) => Promise<RecallResult> {
  return async (query) => {
    const scope = scopeOf(query, unit, mode);
    const found: Found =
      strategy === 'recency'
        ? await callRecall(pool, 'latest', scope, limit)
        : await callRecall(pool, 'in_time', scope, query.oracle_turns);
    const items = (found as { items: readonly StoredItem[] }).items;
    return { effective_strategy: strategy, lookup_miss: null, items: ranked(items, unit) };
  };
}
