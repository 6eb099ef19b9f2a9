import { type CivilTime, compareCivilTimes } from '../../core/civil-time.js';
import type { RecalledItem, RecallMode, RecallQuery, RecallUnit } from '../memory.js';
import type { RecallScope, StoredItem } from './recall-database.js';

/** The scope of a question: its owner and ceiling, as of its time, or of an earlier one that its mode names (FX-7). */
export function scopeOf(query: RecallQuery, unit: RecallUnit, mode: RecallMode): RecallScope {
  const { asked_at, subjects } = query.question;
  return { owner: query.owner, ceiling: query.read_ceiling, unit, asOf: asOf(mode, asked_at), mode, subjects };
}

function asOf(mode: RecallMode, present: CivilTime): CivilTime {
  if (mode.name !== 'historical' || mode.as_of === 'question') return present;
  return compareCivilTimes(mode.as_of, present) < 0 ? mode.as_of : present;
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
