import type pg from 'pg';
import { openControlIfThere } from './control-database.js';
import { type OpenOptions, reachServer } from './open.js';
import { closePool } from './pool.js';

/**
 * Works on a server's control database where there is one, as its owner, outside a run. Makes nothing.
 *
 * @returns what the work gives; null where there is no control database.
 * @throws as `openPostgres`, and `POSTGRES_NAME_TAKEN` (exit 8).
 */
export async function visitControlDatabase<Result>(
  options: OpenOptions,
  work: (pool: pg.Pool) => Promise<Result>,
): Promise<Result | null> {
  const server = await reachServer(options);
  try {
    const pool = await openControlIfThere(server.maintenance, server.address);
    if (pool === null) return null;
    try {
      return await work(pool);
    } finally {
      await closePool(pool);
    }
  } finally {
    await server.close();
  }
}
