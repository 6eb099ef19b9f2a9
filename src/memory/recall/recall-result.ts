import type { RecalledItem, RecallQuery, RecallUnit } from '../memory.js';
import type { RecallScope, StoredItem } from './recall-database.js';

/** The scope of a question: its owner and ceiling, as of its time (FX-7). */
export function scopeOf(query: RecallQuery, unit: RecallUnit): RecallScope {
  return { owner: query.owner, ceiling: query.read_ceiling, unit, asOf: query.question.asked_at };
}

/** Stored items in rank order as what a recall returns. */
export function ranked(items: readonly StoredItem[], unit: RecallUnit): RecalledItem[] {
  return items.map((item, index) => ({
    id: item.id,
    rank: index + 1,
    score: item.score ?? null,
    sources: item.sources,
    text: item.text,
    at: item.at,
    who: item.who,
    unit,
    position: item.position,
  }));
}
