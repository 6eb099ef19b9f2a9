import type { Digest } from '../../core/digest.js';
import type { LookupMiss } from '../../memory/query-preparation/query-preparation.js';
import { NO_USAGE } from '../../provider/usage.js';
import type { MissedQuery } from './query-groups/session-queries.js';
import { QueryMisses } from './query-misses.js';
import { QueryPins } from './query-pins.js';

/** The files in which a past run kept what became of one fixture's questions; each is there or not. */
export interface PastQueries {
  readonly vectors: string;
  readonly misses: string;
}

/** What a past run kept, by the digests of the questions' texts. A text that has a vector is not among the missed. */
export interface KeptQueries {
  readonly pinned: readonly Digest[];
  readonly missed: ReadonlyMap<Digest, LookupMiss>;
}

/** @throws exit 2: `QUERY_VECTORS_BROKEN`, `QUERY_MISSES_BROKEN`. */
export async function keptQueries({ vectors, misses }: PastQueries): Promise<KeptQueries> {
  const pinned = (await QueryPins.open(vectors)).texts;
  const withVector = new Set(pinned);
  const all = (await QueryMisses.open(misses)).all();
  return { pinned, missed: new Map([...all].filter(([text]) => !withVector.has(text))) };
}

/** A miss of a past run, which a reproduction repeats and tries nothing for (RP-1). */
export function missedBefore(miss: LookupMiss): MissedQuery {
  return { miss, was_sent: false, usage: NO_USAGE };
}
