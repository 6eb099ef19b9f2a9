import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { databaseUnavailable } from '../core/errors.js';
import { type Invocation, markOf } from './invocation.js';
import { markStatement, NAME_PREFIX } from './mark.js';
import type { ServerFacts } from './server-checks.js';

/** How the memory runtime logs in. */
export interface RuntimeLogin {
  readonly user: string;
  readonly password: string;
}

const FIRST_WITH_GRANT_OPTIONS = 160_000;

/**
 * Makes the invocation's login role for the runtime (PG-4): no superuser, unable to bypass row security, owner of nothing. Its password
 * lives as long as the invocation.
 */
export async function createRuntimeRole(
  pool: pg.Pool,
  facts: ServerFacts,
  invocation: Invocation,
): Promise<RuntimeLogin> {
  const user = `${NAME_PREFIX}${invocation.id}_runtime`;
  const password = randomBytes(24).toString('base64url');
  const role = pg.escapeIdentifier(user);
  const statements = [
    `create role ${role} login nosuperuser nobypassrls nocreatedb nocreaterole noinherit noreplication password ${pg.escapeLiteral(password)}`,
    markStatement('role', user, markOf(invocation, 'role')),
    // Without it, an administrator who is no superuser may not end the role's sessions when a scratch database is dropped.
    ...(facts.isSuperuser ? [] : [membership(role, facts)]),
  ];
  // One message is one transaction: no role without its mark.
  await pool.query(statements.join(';\n'));
  return { user, password };
}

function membership(role: string, { versionNumber, user }: ServerFacts): string {
  const options = versionNumber >= FIRST_WITH_GRANT_OPTIONS ? ' with inherit true' : '';
  return `grant ${role} to ${pg.escapeIdentifier(user)}${options}`;
}

/**
 * Checks, logged in as the runtime, that row security binds it: the session's user, not merely the current role (PG-4).
 *
 * @throws `POSTGRES_RUNTIME_PRIVILEGED` (exit 8).
 */
export async function checkRuntimeSession(runtime: Pick<pg.Pool, 'query'>, login: RuntimeLogin): Promise<void> {
  const { rows } = await runtime.query<{ session: string; current: string; super: boolean; bypass: boolean }>(
    `select session_user::text as session, current_user::text as current, bool_or(r.rolsuper) as super, bool_or(r.rolbypassrls) as bypass
       from pg_catalog.pg_roles r where pg_catalog.pg_has_role(session_user, r.oid, 'member')`,
  );
  const row = rows[0]!;
  if (row.session === login.user && row.current === login.user && !row.super && !row.bypass) return;
  throw databaseUnavailable(
    'POSTGRES_RUNTIME_PRIVILEGED',
    `the memory runtime is logged in as ${row.session}, which row-level security does not bind`,
    { remedy: 'let the server authenticate each role by its own password, with no user name map' },
  );
}
