import type pg from 'pg';
import type { CivilTime } from '../../core/civil-time.js';
import { databaseUnavailable, internalFault, messageOf } from '../../core/errors.js';
import { type Owner, SENSITIVITIES, type Sensitivity } from '../../fixture/history.js';
import { refusalState } from '../beliefs/server-trouble.js';
import type { RecallMode, RecallUnit } from '../memory.js';

/** What a recall may see: whose, how sensitive, of which kind, as of when, in which mode. The database enforces it. */
export interface RecallScope {
  readonly owner: Owner;
  readonly ceiling: Sensitivity;
  readonly unit: RecallUnit;
  readonly asOf: CivilTime;
  readonly mode: RecallMode;
  /** Whom a recall in mode `people` is about. */
  readonly subjects: readonly string[];
}

/** A live row as the search functions give it. */
export interface StoredItem {
  readonly id: string;
  readonly version: number;
  readonly position: number;
  readonly at: CivilTime;
  readonly who: string;
  readonly text: string;
  readonly sources: readonly string[];
  /** Only where the function scores. */
  readonly score?: number;
}

/** What an index-backed search gives: nothing but `stale` where its documents no longer say what the turns say. */
export type Found = { readonly stale: true } | { readonly stale: false; readonly items: readonly StoredItem[] };

/** The search functions of `0002-search.sql` that answer with one JSON value. */
export type RecallFunction = 'bm25' | 'full_text' | 'allowed' | 'at_positions' | 'in_time' | 'latest';

/** Calls one search function: one statement, which is its own transaction. */
export async function callRecall<Result>(
  pool: pg.Pool,
  name: RecallFunction,
  scope: RecallScope,
  ...more: readonly unknown[]
): Promise<Result> {
  const values = [...scopeValues(scope), ...more];
  const places = values.map((_, index) => `$${index + 1}`).join(', ');
  const rows = await recallRows<{ result: Result }>(pool, {
    name: `search-${name}`,
    text: `select search.${name}(${places}) as result`,
    values,
  });
  return (rows[0] as { result: Result }).result;
}

function scopeValues({ owner, ceiling, unit, asOf, mode, subjects }: RecallScope): unknown[] {
  const core = mode.name === 'core' ? mode.size : 0;
  return [owner.tenant, owner.principal, SENSITIVITIES.indexOf(ceiling), unit, asOf, mode.name, core, subjects];
}

/**
 * Runs one statement.
 *
 * @throws kind `database`, `DATABASE_LOST`, where the server is at fault; internal fault `RECALL_REFUSED` where it refuses the statement.
 */
export async function recallRows<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  query: pg.QueryConfig<unknown[]>,
): Promise<Row[]> {
  try {
    return (await pool.query<Row, unknown[]>(query)).rows;
  } catch (cause) {
    const state = refusalState(cause);
    if (state !== null) {
      throw internalFault('RECALL_REFUSED', `Postgres refused a recall (${state}): ${messageOf(cause)}`, { cause });
    }
    throw databaseUnavailable('DATABASE_LOST', `Postgres was lost during recall: ${messageOf(cause)}`, {
      remedy: 'start the server again, or look at its log, and resume the run',
      cause,
    });
  }
}
