import type { JsonValue } from '../core/canonical-json.js';
import type { Digest } from '../core/digest.js';

/** One record: every column of its row, by name; positions replaced by their rank (ST-2). */
export type StateRecord = { readonly [column: string]: JsonValue };

/**
 * A belief state, read back from Postgres (ST-1): every record of every table that holds an owner's data, current and superseded, in
 * relative order.
 */
export interface BeliefState {
  readonly format: 'belief-state@1';
  /** By table name, e.g. `belief`, `belief_source`, `supersession`, `person`, `turn`. Tables are sorted by name, records by relative order. */
  readonly tables: { readonly [table: string]: readonly StateRecord[] };
}

/** A state with what a bank seals of it (ST-4). */
export interface SealedState {
  readonly state: BeliefState;
  readonly digest: Digest;
  readonly beliefs: number;
  readonly people: number;
}

/** The first difference between two states, named (ST-3). */
export interface StateDifference {
  readonly table: string;
  /** The record, by its key columns or its place. */
  readonly record: string;
  /** The column; `(missing)` or `(additional)` where a whole record is; `(position)` where the order differs. */
  readonly field: string;
  readonly expected: JsonValue;
  readonly found: JsonValue;
}
