import { parseIntoClientConfig } from 'pg-connection-string';
import { invalidInput } from '../core/errors.js';
import type { ServerAddress } from './pool.js';

/**
 * Reads a `postgres://` URL as libpq does (also `postgresql://user@/db?host=/socket/folder`).
 *
 * @throws `POSTGRES_BAD_URL` (exit 2) without repeating the URL: it may hold a password.
 */
export function readDatabaseUrl(url: string): ServerAddress {
  if (!/^postgres(ql)?:\/\//.test(url)) throw badUrl('it does not begin with postgres://');
  try {
    const config = parseIntoClientConfig(url);
    return { config, shown: `Postgres at ${showPlace(config.host ?? 'localhost', config.port ?? 5432)}` };
  } catch {
    // The parser's message repeats the URL, password and all.
    throw badUrl('it cannot be read');
  }
}

function badUrl(why: string): Error {
  return invalidInput('POSTGRES_BAD_URL', `the database URL is wrong: ${why}`, {
    remedy: 'write it as postgres://user:password@host:port/database, special characters percent-encoded',
  });
}

function showPlace(host: string, port: number): string {
  return host.startsWith('/') ? `${host} (port ${port})` : `${host}:${port}`;
}
