import type pg from 'pg';
import { RecallMatrixError } from '../../core/errors.js';
import type { RecallMode, RecallQuery, RecallResult, RecallUnit } from '../memory.js';
import type { RankedId, Ranker } from './ranker.js';
import { quantised } from './ranking.js';
import { callRecall, type Found, type StoredItem } from './recall-database.js';
import { ranked, scopeOf } from './recall-result.js';

/** What a recall that is ranked from outside needs. */
export interface OutsideRecallParts {
  readonly pool: pg.Pool;
  readonly unit: RecallUnit;
  readonly mode: RecallMode;
  readonly strategy: 'module' | 'file';
  readonly limit: number;
  readonly ranker: Ranker;
}

/**
 * Hands everything that may be recalled to a ranker, and takes its ranking (RT-6, RT-7). Scores are quantised to 1e-6; the higher
 * first, of equals the one stored first (RT-2); without scores the ranker's own order stands.
 */
export function openOutsideRecall(
  parts: OutsideRecallParts,
): (query: RecallQuery, signal: AbortSignal) => Promise<RecallResult> {
  return async (query, signal) => {
    const { pool, unit, mode, strategy, limit, ranker } = parts;
    const found = await callRecall<Found>(pool, 'in_time', scopeOf(query, unit, mode), null);
    const { items } = found as { items: readonly StoredItem[] };
    const { id, question, asked_at, subjects } = query.question;
    const shown = items.map(({ id: item, text, at, who, sources }) => ({ id: item, text, at, who, sources }));
    const ranking = await ranker.rank(
      { question: { id, question, asked_at, subjects }, unit, limit, items: shown },
      signal,
    );
    const best = inOrder(ranking, items, limit, `${ranker.name}, for the question ${id}`);
    return { effective_strategy: strategy, lookup_miss: null, items: ranked(best, unit) };
  };
}

/** @throws kind `provider`, `RANKING_UNSOUND`: more items than the limit, an id that was not handed in or stands twice, scores that are no numbers. */
function inOrder(
  ranking: readonly RankedId[],
  items: readonly StoredItem[],
  limit: number,
  who: string,
): readonly StoredItem[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  if (ranking.length > limit) throw unsound(who, `${ranking.length} items, and the limit is ${limit}`);
  const scored = ranking.filter(({ score }) => score !== null).length;
  if (scored !== 0 && scored !== ranking.length)
    throw unsound(who, 'scores for some items and none for others: give all or none');
  const seen = new Set<string>();
  const found = ranking.map(({ id, score }) => {
    const item = byId.get(id);
    if (item === undefined) throw unsound(who, `the id ${JSON.stringify(id)}, which it was not handed`);
    if (seen.has(id)) throw unsound(who, `the id ${JSON.stringify(id)} twice`);
    seen.add(id);
    if (score === null) return item;
    // Beyond 1e302 a number has no millionths: it would be recorded as no number.
    const exact = quantised(score);
    if (!Number.isFinite(exact)) throw unsound(who, `the score ${score} for ${JSON.stringify(id)}`);
    return { ...item, score: exact };
  });
  if (scored === 0) return found;
  return found.sort((a, b) => (b.score as number) - (a.score as number) || a.position - b.position);
}

function unsound(who: string, what: string): RecallMatrixError {
  return new RecallMatrixError({
    kind: 'provider',
    code: 'RANKING_UNSOUND',
    message: `${who}: the ranking makes no sense: it gave ${what}`,
    remedy: 'see docs/modules.md for what a ranking is',
  });
}
