import type pg from 'pg';
import { systemProcesses } from '../core/process-mark.js';
import { livingInvocations } from './invocation.js';
import { dropMarkedDatabase, dropMarkedRole, type Mark, NAME_PREFIX, parseMark } from './mark.js';

/** Something of ours on a server whose invocation has not dropped it. */
export interface Leftover {
  readonly object: 'database' | 'role';
  readonly name: string;
  readonly kind: Mark['kind'];
}

/** What was found on a server. */
export interface Leftovers {
  /** Of invocations that have ended: theirs to drop, and never used again. */
  readonly dead: readonly Leftover[];
  /** Carries our prefix and is left alone, and why. */
  readonly kept: readonly { readonly name: string; readonly why: string }[];
}

type Client = Pick<pg.ClientBase, 'query'>;

/**
 * Finds what killed runs left (PG-5). On our own cluster an invocation that holds no lock has ended; on a server that others use too its
 * process must also be known to be dead, on this machine.
 */
export async function findLeftovers(client: Client, server: 'embedded' | 'existing'): Promise<Leftovers> {
  const { rows } = await client.query<{
    object: Leftover['object'];
    name: string;
    comment: string | null;
    own: boolean;
  }>(
    `select 'database' as object, d.datname::text as name, pg_catalog.shobj_description(d.oid, 'pg_database') as comment,
            r.rolname = current_user as own
       from pg_catalog.pg_database d join pg_catalog.pg_roles r on r.oid = d.datdba where pg_catalog.starts_with(d.datname::text, $1)
     union all
     select 'role', rolname::text, pg_catalog.shobj_description(oid, 'pg_authid'), true
       from pg_catalog.pg_roles where pg_catalog.starts_with(rolname::text, $1)
     order by 1, 2`,
    [NAME_PREFIX],
  );
  // Asked after the list: whoever made something of it and lives still holds its lock.
  const isLiving = await livingInvocations(client);
  const dead: Leftover[] = [];
  const kept: { name: string; why: string }[] = [];
  for (const { object, name, comment, own } of rows) {
    const mark = parseMark(comment);
    const why = reasonToKeep(mark, own, name, server, isLiving);
    if (why === null && mark !== null) dead.push({ object, name, kind: mark.kind });
    else if (why !== null && why !== '') kept.push({ name, why });
  }
  return { dead, kept };
}

/** Null: it may go. Empty: it is where it should be. */
function reasonToKeep(
  mark: Mark | null,
  own: boolean,
  name: string,
  server: 'embedded' | 'existing',
  isLiving: (invocation: string) => boolean,
): string | null {
  if (mark === null) return 'it carries no mark of this tool';
  if (!own) return 'another role owns it';
  if (mark.kind === 'control' || isTemplate(mark, name) || isLiving(mark.invocation)) return '';
  if (server === 'embedded') return null;
  const isAlive = mark.owner === null ? null : systemProcesses.isAlive(mark.owner);
  if (isAlive === false) return null;
  return isAlive ? 'its process lives' : 'whether its process lives cannot be known from here';
}

/** A whole template, which any later run uses; one that was being built has another name. */
function isTemplate({ kind }: Mark, name: string): boolean {
  return kind === 'template' && name.startsWith(`${NAME_PREFIX}template_`);
}

/** Drops what `findLeftovers` found dead, databases before the roles that may enter them; gives what is gone. */
export async function dropLeftovers(client: Client, { dead }: Leftovers): Promise<Leftover[]> {
  const dropped: Leftover[] = [];
  for (const leftover of dead) {
    const drop = leftover.object === 'database' ? dropMarkedDatabase : dropMarkedRole;
    if (await drop(client, leftover.name)) dropped.push(leftover);
  }
  return dropped;
}

/** The templates of this login: any later run makes those that it needs again. */
export async function findTemplates(client: Client): Promise<Leftover[]> {
  const { rows } = await client.query<{ name: string; comment: string | null }>(
    `select d.datname::text as name, pg_catalog.shobj_description(d.oid, 'pg_database') as comment
       from pg_catalog.pg_database d join pg_catalog.pg_roles r on r.oid = d.datdba
      where r.rolname = current_user and pg_catalog.starts_with(d.datname::text, $1) order by 1`,
    [`${NAME_PREFIX}template_`],
  );
  return rows
    .filter(({ comment }) => parseMark(comment)?.kind === 'template')
    .map(({ name }) => ({ object: 'database', name, kind: 'template' }));
}
