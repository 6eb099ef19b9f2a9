import { readdirSync, readFileSync } from 'node:fs';
import type { Migration } from '../../postgres/postgres.js';

const FOLDER = new URL('./sql/', import.meta.url);

/** The belief store's migrations, in the order of their numbers. The SQL files lie beside this module, in the source as in the build. */
export function beliefMigrations(): Migration[] {
  return readdirSync(FOLDER)
    .filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name))
    .sort()
    .map((name) => ({ name: name.slice(0, -'.sql'.length), sql: readFileSync(new URL(name, FOLDER), 'utf8') }));
}
