import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { type ProcessMark, systemProcesses } from '../core/process-mark.js';
import type { Mark, MarkKind } from './mark.js';

// Any fixed number that is this tool's own: the first key of the advisory locks by which a server knows which invocations live.
const LOCK_CLASS = 1_380_794_689;

/** One use of a server by one process: what it makes there carries its name. */
export interface Invocation {
  readonly id: string;
  readonly owner: ProcessMark;
}

export function newInvocation(): Invocation {
  return { id: randomBytes(5).toString('hex'), owner: systemProcesses.self() };
}

/** The mark of what an invocation makes. */
export function markOf({ id, owner }: Invocation, kind: MarkKind): Mark {
  return { kind, invocation: id, owner };
}

/**
 * Says on the server that an invocation lives: a lock that ends with the client's session, however this process ends. Taken before anything is
 * made.
 */
export async function declareLiving(client: Pick<pg.ClientBase, 'query'>, { id }: Invocation): Promise<void> {
  await client.query('select pg_catalog.pg_advisory_lock($1, $2)', [LOCK_CLASS, lockKey(id) | 0]);
}

/** Tells which invocations live on the server, whatever database they are connected to. Of other ids, whose key is equal, too. */
export async function livingInvocations(client: Pick<pg.ClientBase, 'query'>): Promise<(id: string) => boolean> {
  const { rows } = await client.query<{ key: string }>(
    `select objid::bigint::text as key from pg_catalog.pg_locks
      where locktype = 'advisory' and classid = $1::bigint::oid and objsubid = 2 and granted`,
    [LOCK_CLASS],
  );
  const keys = new Set(rows.map(({ key }) => Number(key)));
  return (id) => keys.has(lockKey(id));
}

function lockKey(id: string): number {
  return Number.parseInt(id.slice(0, 8), 16) >>> 0;
}
