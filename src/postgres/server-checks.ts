import type pg from 'pg';
import { databaseUnavailable, messageOf, RecallMatrixError } from '../core/errors.js';

const OLDEST_MAJOR = 15;
const NEWEST_MAJOR = 18;

/** What an existing server says of itself and of our login. */
export interface ServerFacts {
  /** `server_version_num`, e.g. 180004. */
  readonly versionNumber: number;
  /** `server_version`, which a distribution may lengthen. */
  readonly versionText: string;
  readonly user: string;
  readonly isSuperuser: boolean;
  readonly mayCreateDatabases: boolean;
  readonly mayCreateRoles: boolean;
  readonly bypassesRowSecurity: boolean;
}

/**
 * Asks a server for its version and our rights.
 *
 * @throws `POSTGRES_UNREACHABLE` (exit 8) with the server's or the network's words.
 */
export async function readFacts(pool: pg.Pool, shown: string): Promise<ServerFacts> {
  try {
    const { rows } = await pool.query<{ number: number; text: string; user: string } & Record<string, boolean>>(
      `select current_setting('server_version_num')::int as number, current_setting('server_version') as text,
              current_user::text as user, rolsuper as super, rolcreatedb as databases, rolcreaterole as roles, rolbypassrls as bypass
         from pg_catalog.pg_roles where rolname = current_user`,
    );
    const row = rows[0]!;
    return {
      versionNumber: row.number,
      versionText: row.text,
      user: row.user,
      isSuperuser: row.super === true,
      mayCreateDatabases: row.databases === true,
      mayCreateRoles: row.roles === true,
      bypassesRowSecurity: row.bypass === true,
    };
  } catch (error) {
    const cause = error instanceof RecallMatrixError ? (error.cause ?? error) : error;
    throw databaseUnavailable(
      'POSTGRES_UNREACHABLE',
      `cannot connect to ${shown}: ${messageOf(cause) || String(cause)}`,
      {
        remedy:
          'check the URL, and that the server runs and lets this user in; without --database-url a local server is started',
        cause,
      },
    );
  }
}

/** The version as people write it: `18.4`. */
export function showVersion(versionNumber: number): string {
  return `${Math.floor(versionNumber / 10_000)}.${versionNumber % 10_000}`;
}

/** @throws `POSTGRES_WRONG_VERSION` (exit 8) unless the server is of a version that is tested: 15 to 18 (PG-1). */
export function checkVersion({ versionNumber, versionText }: ServerFacts, shown: string): void {
  const major = Math.floor(versionNumber / 10_000);
  if (major >= OLDEST_MAJOR && major <= NEWEST_MAJOR) return;
  throw databaseUnavailable('POSTGRES_WRONG_VERSION', `${shown} is version ${versionText}`, {
    remedy: `use Postgres ${OLDEST_MAJOR} to ${NEWEST_MAJOR}, or leave --database-url out to use a local server`,
  });
}

/**
 * @throws `POSTGRES_MISSING_RIGHTS` (exit 8) unless we may make databases and roles, and see every row of our own tables: forced row
 * security binds a plain owner too, whose snapshots for the parity gate would be empty without a word.
 */
export function checkRights(facts: ServerFacts, shown: string): void {
  if (facts.isSuperuser) return;
  const missing = [
    ...(facts.mayCreateDatabases ? [] : ['CREATEDB']),
    ...(facts.mayCreateRoles ? [] : ['CREATEROLE']),
    ...(facts.bypassesRowSecurity ? [] : ['BYPASSRLS']),
  ];
  if (missing.length === 0) return;
  throw databaseUnavailable('POSTGRES_MISSING_RIGHTS', `user ${facts.user} of ${shown} lacks ${missing.join(', ')}`, {
    remedy: `as a superuser: ALTER ROLE "${facts.user.replaceAll('"', '""')}" ${missing.join(' ')}`,
  });
}
