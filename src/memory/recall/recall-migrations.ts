import { readFileSync } from 'node:fs';
import type { Migration } from '../../postgres/postgres.js';

const NAMES = ['0002-search', '0003-modes'];

/** What recall adds to a belief store, to be run after its own migrations. The SQL files lie beside this module, in the source as in the build. */
export function recallMigrations(): Migration[] {
  return NAMES.map((name) => ({ name, sql: readFileSync(new URL(`./sql/${name}.sql`, import.meta.url), 'utf8') }));
}
