import type pg from 'pg';
import { internalFault } from '../../core/errors.js';
import type { Owner } from '../../fixture/history.js';
import type { RecallMode, RecallQuery, RecallResult, RecallUnit } from '../memory.js';
import { type IndexKind, indexDocuments } from './document-index.js';
import { callRecall, type Found, type StoredItem } from './recall-database.js';
import { ranked, scopeOf } from './recall-result.js';
import { termsOf } from './terms.js';

/** How often a recall indexes anew what changed under it before it gives up. */
const REFRESHES = 3;

/** BM25 over terms (docs/decisions/bm25.md). */
export function openSparseRecall(
  pool: pg.Pool,
  owner: Owner,
  unit: RecallUnit,
  mode: RecallMode,
  limit: number,
): (query: RecallQuery) => Promise<RecallResult> {
  return async (query) => {
    const items = await searchTerms(pool, owner, unit, mode, query, limit);
    return { effective_strategy: 'bm25', lookup_miss: null, items: ranked(items, unit) };
  };
}

/** Postgres text search: any of the question's lexemes, the legacy candidate selection. */
export function openFullTextRecall(
  pool: pg.Pool,
  owner: Owner,
  unit: RecallUnit,
  mode: RecallMode,
  limit: number,
): (query: RecallQuery) => Promise<RecallResult> {
  return async (query) => {
    // Postgres text cannot hold U+0000.
    const text = query.question.question.replaceAll('\0', ' ');
    const search = (): Promise<Found> => callRecall(pool, 'full_text', scopeOf(query, unit, mode), text, limit);
    const items = await searchFresh(pool, owner, unit, 'lexemes', search);
    return { effective_strategy: 'full-text', lookup_miss: null, items: ranked(items, unit) };
  };
}

/** The BM25 ranking itself, best first: what `bm25` returns and `hybrid` fuses. A question of stop words alone finds nothing. */
export function searchTerms(
  pool: pg.Pool,
  owner: Owner,
  unit: RecallUnit,
  mode: RecallMode,
  query: RecallQuery,
  limit: number,
): Promise<readonly StoredItem[]> {
  const terms = [...new Set(termsOf(query.question.question))];
  const search = (): Promise<Found> => callRecall(pool, 'bm25', scopeOf(query, unit, mode), terms, limit);
  return searchFresh(pool, owner, unit, 'terms', search);
}

async function searchFresh(
  pool: pg.Pool,
  owner: Owner,
  unit: RecallUnit,
  kind: IndexKind,
  search: () => Promise<Found>,
): Promise<readonly StoredItem[]> {
  for (let refreshes = 0; refreshes <= REFRESHES; refreshes += 1) {
    const found = await search();
    if (!found.stale) return found.items;
    await indexDocuments(pool, owner, unit, kind, true);
  }
  throw internalFault('RECALL_INDEX_UNSTABLE', `turns kept changing while they were indexed, ${REFRESHES} times`);
}
