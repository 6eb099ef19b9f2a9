import type pg from 'pg';
import { internalFault } from '../../core/errors.js';
import type { Owner } from '../../fixture/history.js';
import type { ItemVectors, RecallMode, RecallQuery, RecallResult, RecallUnit } from '../memory.js';
import type { SemanticQueryLookup } from '../query-preparation/query-preparation.js';
import type { IndexedDocument } from './document-index.js';
import { FUSION_DEPTH, fuse, type Scored } from './ranking.js';
import { callRecall, type Found, type RecallScope, type StoredItem } from './recall-database.js';
import { ranked, scopeOf } from './recall-result.js';
import { searchTerms } from './sparse-recall.js';
import { VectorIndex } from './vector-index.js';

/** What a semantic or hybrid recall needs. */
export interface VectorRecallParts {
  readonly pool: pg.Pool;
  readonly owner: Owner;
  readonly unit: RecallUnit;
  readonly mode: RecallMode;
  readonly strategy: 'semantic' | 'hybrid';
  readonly limit: number;
  readonly vectors: ItemVectors | null;
  readonly lookup: SemanticQueryLookup;
}

/** What the database allows to be scored. */
interface Allowed {
  readonly positions: readonly number[];
  /** Position and version of each item that is no longer in its first version. */
  readonly corrected: readonly (readonly [number, number])[];
}

/**
 * Exact cosine over prepared vectors, alone (`semantic`) or fused with BM25 (`hybrid`). Where the query's vector is missing, sparse
 * recall stands in and the result says so (SQ-1).
 *
 * @param documents all that is indexed: their vectors are asked for here, once.
 */
export async function openVectorRecall(
  parts: VectorRecallParts,
  documents: readonly IndexedDocument[],
  signal: AbortSignal,
): Promise<(query: RecallQuery, signal: AbortSignal) => Promise<RecallResult>> {
  const index = new VectorIndex();
  if (parts.vectors !== null && documents.length > 0) {
    const vectors = await parts.vectors.vectorsOf(
      documents.map((document) => document.content),
      signal,
    );
    for (const [place, { position, version }] of documents.entries()) {
      index.put(position, version, vectors[place] as Float32Array);
    }
  }
  return async (query, recallSignal) => {
    const found = parts.lookup.lookup({
      owner: query.owner,
      scope: parts.mode.name,
      candidates: 'permitted',
      read_ceiling: query.read_ceiling,
      question: query.question.question,
      subjects: query.question.subjects,
    });
    if (found.vector === null) {
      const items = await searchTerms(parts.pool, parts.owner, parts.unit, parts.mode, query, parts.limit);
      return { effective_strategy: 'bm25', lookup_miss: found.miss, items: ranked(items, parts.unit) };
    }
    const items = await searchVectors(parts, index, query, found.vector, recallSignal);
    return { effective_strategy: parts.strategy, lookup_miss: null, items: ranked(items, parts.unit) };
  };
}

async function searchVectors(
  parts: VectorRecallParts,
  index: VectorIndex,
  query: RecallQuery,
  vector: Float32Array,
  signal: AbortSignal,
): Promise<readonly StoredItem[]> {
  const scope = scopeOf(query, parts.unit, parts.mode);
  const allowed = await refresh(parts, index, scope, signal);
  if (parts.strategy === 'semantic') {
    return currentItems(parts, scope, index.nearest(vector, allowed, parts.limit));
  }
  const depth = Math.max(FUSION_DEPTH, parts.limit);
  const sparse = await searchTerms(parts.pool, parts.owner, parts.unit, parts.mode, query, depth);
  const rankings = [
    sparse.map((item) => item.position),
    index.nearest(vector, allowed, depth).map((item) => item.position),
  ];
  return currentItems(parts, scope, fuse(rankings, parts.limit));
}

/** Reads the ranked items once more: what was corrected, erased or forbidden in between is not returned. */
async function currentItems(
  parts: VectorRecallParts,
  scope: RecallScope,
  best: readonly Scored[],
): Promise<readonly StoredItem[]> {
  const items = await itemsAt(
    parts.pool,
    scope,
    best.map((scored) => scored.position),
  );
  return best.flatMap(({ position, score }) => {
    const item = items.get(position);
    return item === undefined ? [] : [{ ...item, score }];
  });
}

/** Brings the vectors up to what a scope allows, and says what that is. Only texts that are new or corrected are asked for. */
async function refresh(
  parts: VectorRecallParts,
  index: VectorIndex,
  scope: RecallScope,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const allowed = await callRecall<Allowed>(parts.pool, 'allowed', scope);
  const versions = new Map(allowed.corrected);
  const missing = allowed.positions.filter((position) => !index.holds(position, versions.get(position) ?? 1));
  if (missing.length === 0) return allowed.positions;
  if (parts.vectors === null)
    throw internalFault('RECALL_WITHOUT_VECTORS', 'a query vector was found, but items have none');
  const items = [...(await itemsAt(parts.pool, scope, missing)).values()].sort((a, b) => a.position - b.position);
  const texts = items.map((item) => (parts.unit === 'turns' ? `${item.who}: ${item.text}` : item.text));
  const vectors = texts.length === 0 ? [] : await parts.vectors.vectorsOf(texts, signal);
  for (const [place, item] of items.entries()) index.put(item.position, item.version, vectors[place] as Float32Array);
  return allowed.positions.filter((position) => index.holds(position, versions.get(position) ?? 1));
}

async function itemsAt(
  pool: pg.Pool,
  scope: RecallScope,
  positions: readonly number[],
): Promise<ReadonlyMap<number, StoredItem>> {
  if (positions.length === 0) return new Map();
  const found = await callRecall<Found>(pool, 'at_positions', scope, positions);
  return new Map((found as { items: readonly StoredItem[] }).items.map((item) => [item.position, item]));
}
