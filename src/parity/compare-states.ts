import { canonicalJson, type JsonValue } from '../core/canonical-json.js';
import { parityRefused, type RecallMatrixError } from '../core/errors.js';
import type { BeliefState, StateDifference, StateRecord } from './parity.js';

const SHOWN_CHARACTERS = 160;

/** The columns that name a record, by the convention of the schema: its owner, its id, the ids that it joins, its place in a list. */
const NAMING_COLUMN = /^(tenant|principal|id|ordinal|.+_id)$/;

/**
 * The first difference between two states (ST-3): tables in the order of their names, records in theirs, fields in the order of their
 * names. Null where every record and field, and their relative order, are equal (ST-2).
 */
export function firstDifference(expected: BeliefState, found: BeliefState): StateDifference | null {
  const names = new Set([...Object.keys(expected.tables), ...Object.keys(found.tables)]);
  for (const table of [...names].sort()) {
    const [before, after] = [expected.tables[table], found.tables[table]];
    if (before === undefined) return { table, record: '(table)', field: '(additional)', expected: null, found: table };
    if (after === undefined) return { table, record: '(table)', field: '(missing)', expected: table, found: null };
    const difference = tableDifference(table, before, after);
    if (difference !== null) return difference;
  }
  return null;
}

function tableDifference(
  table: string,
  before: readonly StateRecord[],
  after: readonly StateRecord[],
): StateDifference | null {
  for (let place = 0; place < Math.max(before.length, after.length); place += 1) {
    const [a, b] = [before[place], after[place]];
    const isOneRecord = a !== undefined && b !== undefined && keyOf(a) === keyOf(b);
    if (!isOneRecord) return placeDifference(table, before, after, place);
    const difference = fieldDifference(table, a, b);
    if (difference !== null) return difference;
  }
  return null;
}

function fieldDifference(table: string, expected: StateRecord, found: StateRecord): StateDifference | null {
  const [field] = fieldsThatDiffer(expected, found);
  if (field === undefined) return null;
  return { table, record: nameOf(expected), field, expected: expected[field] ?? null, found: found[field] ?? null };
}

/** Unlike records at one place: records were added, are missing, changed their key, or stand in another order. */
function placeDifference(
  table: string,
  before: readonly StateRecord[],
  after: readonly StateRecord[],
  place: number,
): StateDifference | null {
  const gone = without(before, after);
  const fresh = without(after, before);
  const [missing] = gone;
  const [additional] = fresh;
  if (missing !== undefined && gone.length === fresh.length) {
    return fieldDifference(table, missing, nearest(missing, fresh));
  }
  if (missing !== undefined && gone.length > fresh.length) {
    return { table, record: nameOf(missing), field: '(missing)', expected: missing, found: null };
  }
  if (additional !== undefined) {
    return { table, record: nameOf(additional), field: '(additional)', expected: null, found: additional };
  }
  const moved = before[place] as StateRecord;
  const foundPlace = after.findIndex((record) => keyOf(record) === keyOf(moved));
  return { table, record: nameOf(moved), field: '(position)', expected: place + 1, found: foundPlace + 1 };
}

function without(records: readonly StateRecord[], others: readonly StateRecord[]): StateRecord[] {
  const keys = new Set(others.map(keyOf));
  return records.filter((record) => !keys.has(keyOf(record)));
}

/** The record that differs in the fewest fields; the first of equals. */
function nearest(record: StateRecord, candidates: readonly StateRecord[]): StateRecord {
  const distances = candidates.map((candidate) => fieldsThatDiffer(record, candidate).length);
  return candidates[distances.indexOf(Math.min(...distances))] as StateRecord;
}

function fieldsThatDiffer(a: StateRecord, b: StateRecord): string[] {
  const fields = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
  return fields.filter((field) => {
    const [left, right] = [a[field], b[field]];
    if (left === right) return left === undefined;
    return left === undefined || right === undefined || canonicalJson(left) !== canonicalJson(right);
  });
}

/** The refusal of a state that differs (ST-3, exit 6): names the first record and field. */
export function parityRefusal(difference: StateDifference): RecallMatrixError {
  const { table, record, field } = difference;
  const values = `expected ${shown(difference.expected)}, found ${shown(difference.found)}`;
  return parityRefused('STATE_DIFFERS', `the belief state differs at ${table} [${record}], ${field}: ${values}`, {
    remedy: 'this build forms another state than the bank seals: record a new bank, or use the build that recorded it',
    details: { table, record, field },
  });
}

function keyOf(record: StateRecord): string {
  return canonicalJson(namingColumns(record).map((column) => record[column] ?? null));
}

function nameOf(record: StateRecord): string {
  return namingColumns(record)
    .map((column) => `${column}=${shown(record[column] ?? null)}`)
    .join(' ');
}

function namingColumns(record: StateRecord): string[] {
  const columns = Object.keys(record).sort();
  const naming = columns.filter((column) => NAMING_COLUMN.test(column));
  return naming.length > 0 ? naming : columns;
}

function shown(value: JsonValue): string {
  const text = canonicalJson(value);
  const characters = [...text];
  return characters.length <= SHOWN_CHARACTERS ? text : `${characters.slice(0, SHOWN_CHARACTERS - 1).join('')}…`;
}
