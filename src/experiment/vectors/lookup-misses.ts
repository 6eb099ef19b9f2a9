import type { SummaryRow } from '../summary/summary-row.js';

/** Rows by why their lookup missed (SQ-1), in the order of the words; only what occurred. */
export interface LookupMisses {
  readonly [miss: string]: number;
}

/** Counts the rows whose lookup missed. */
export function lookupMisses(rows: readonly Pick<SummaryRow, 'lookup_miss'>[]): LookupMisses {
  const counts = new Map<string, number>();
  for (const { lookup_miss } of rows)
    if (lookup_miss !== null) counts.set(lookup_miss, (counts.get(lookup_miss) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whether an arm did not get what it was to have: every miss but the one that the matrix asked for (SQ-2). */
export function isDegraded(misses: LookupMisses): boolean {
  return Object.keys(misses).some((miss) => miss !== 'off');
}
