import pg from 'pg';
import { z } from 'zod';
import type { ProcessMark } from '../core/process-mark.js';

/** Every database and role that this tool makes has a name that begins so. The name alone proves nothing; the mark does. */
export const NAME_PREFIX = 'recall_matrix_';

// Any fixed number that is this tool's own: whoever grants or revokes a right to a control database holds it.
export const CONTROL_GRANT_LOCK = 7_264_119_403;

const TOOL = 'recall-matrix';
const FORMAT = 'postgres-mark@1';

/** What is kept as the comment on a database or role of ours (PG-3). */
export interface Mark {
  readonly kind: MarkKind;
  /** Of the invocation that made it. */
  readonly invocation: string;
  /** The process of that invocation; null in marks of earlier versions. */
  readonly owner: ProcessMark | null;
}

/** What is marked. A control database holds ledgers and outlasts every run: nothing here drops it. */
export type MarkKind = 'template' | 'scratch' | 'role' | 'control';

const markSchema = z.object({
  tool: z.literal(TOOL),
  format: z.literal(FORMAT),
  kind: z.enum(['template', 'scratch', 'role', 'control']),
  invocation: z.string(),
  owner: z.object({ host: z.string(), pid: z.int(), started: z.string().nullable() }).nullable().default(null),
});

type Querier = Pick<pg.Pool, 'query'>;

/** The statement that marks a database or role. */
export function markStatement(object: 'database' | 'role', name: string, mark: Mark): string {
  const { kind, invocation, owner } = mark;
  const text = JSON.stringify({ tool: TOOL, format: FORMAT, kind, invocation, owner });
  return `comment on ${object} ${pg.escapeIdentifier(name)} is ${pg.escapeLiteral(text)}`;
}

/** Reads a comment as a mark; null where it is none of ours. */
export function parseMark(comment: string | null): Mark | null {
  if (comment === null) return null;
  let value: unknown;
  try {
    value = JSON.parse(comment);
  } catch {
    // Somebody's own words: not a mark.
    return null;
  }
  const mark = markSchema.safeParse(value);
  if (!mark.success) return null;
  const { kind, invocation, owner } = mark.data;
  return { kind, invocation, owner };
}

/** A database by its name: its mark, and whether our login owns it. Null where there is no such database. */
export async function findDatabase(
  querier: Querier,
  name: string,
): Promise<{ readonly mark: Mark | null; readonly isOwn: boolean } | null> {
  const { rows } = await querier.query<{ comment: string | null; own: boolean }>(
    `select pg_catalog.shobj_description(d.oid, 'pg_database') as comment, r.rolname = current_user as own
       from pg_catalog.pg_database d join pg_catalog.pg_roles r on r.oid = d.datdba where d.datname = $1`,
    [name],
  );
  const row = rows[0];
  return row === undefined ? null : { mark: parseMark(row.comment), isOwn: row.own };
}

/**
 * Drops a database if it carries this tool's mark, with whoever is connected to it.
 *
 * @returns false where it has no mark, or is not there: nothing was touched (PG-3).
 */
export async function dropMarkedDatabase(querier: Querier, name: string): Promise<boolean> {
  const found = await findDatabase(querier, name);
  const isOurs = found?.mark?.kind === 'scratch' || found?.mark?.kind === 'template';
  if (!name.startsWith(NAME_PREFIX) || !isOurs) return false;
  await querier.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`);
  return true;
}

/**
 * Drops a role if it carries this tool's mark, after its right to connect to a control database, which stays.
 *
 * @returns false where nothing was touched.
 */
export async function dropMarkedRole(querier: Querier, name: string): Promise<boolean> {
  const { rows } = await querier.query<{ comment: string | null }>(
    `select pg_catalog.shobj_description(oid, 'pg_authid') as comment from pg_catalog.pg_roles where rolname = $1`,
    [name],
  );
  if (!name.startsWith(NAME_PREFIX) || parseMark(rows[0]?.comment ?? null)?.kind !== 'role') return false;
  const role = pg.escapeIdentifier(name);
  const revoked = (await controlDatabasesOf(querier, name)).map(
    (database) =>
      `execute ${pg.escapeLiteral(`revoke all on database ${pg.escapeIdentifier(database)} from ${role}`)};`,
  );
  // Somebody else may remove the same: who waited for the lock finds the role gone.
  await querier.query(
    `do ${pg.escapeLiteral(`begin
       perform pg_catalog.pg_advisory_xact_lock(${CONTROL_GRANT_LOCK});
       if not exists (select from pg_catalog.pg_roles where rolname = ${pg.escapeLiteral(name)}) then return; end if;
       ${revoked.join('\n')}
       drop role ${role};
     end`)}`,
  );
  return true;
}

/** The control databases of our login that a role may connect to. */
async function controlDatabasesOf(querier: Querier, role: string): Promise<string[]> {
  const { rows } = await querier.query<{ name: string; comment: string | null }>(
    `select d.datname::text as name, pg_catalog.shobj_description(d.oid, 'pg_database') as comment
       from pg_catalog.pg_database d join pg_catalog.pg_roles o on o.oid = d.datdba and o.rolname = current_user
      where exists (select from pg_catalog.aclexplode(d.datacl) a join pg_catalog.pg_roles r on r.oid = a.grantee where r.rolname = $1)`,
    [role],
  );
  return rows.filter(({ comment }) => parseMark(comment)?.kind === 'control').map(({ name }) => name);
}
