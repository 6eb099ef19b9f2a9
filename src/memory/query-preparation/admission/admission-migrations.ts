import { readFileSync } from 'node:fs';
import type { Migration } from '../../../postgres/postgres.js';

/** In the order of their numbers; never edited once released. The SQL files lie beside this module, in the source as in the build. */
export const ADMISSION_MIGRATIONS = ['0001-index-receipts', '0002-query-receipts'] as const;

export type AdmissionMigration = (typeof ADMISSION_MIGRATIONS)[number];

/** What each makes, or undoes. */
export function admissionMigrations(direction: 'up' | 'down'): Migration[] {
  return ADMISSION_MIGRATIONS.map((name) => ({
    name,
    sql: readFileSync(new URL(`./sql/${name}.${direction}.sql`, import.meta.url), 'utf8'),
  }));
}
