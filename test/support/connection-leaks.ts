import pg from 'pg';
import { systemClock } from '../../src/core/clock.js';
import type { ScratchDatabase } from '../../src/postgres/postgres.js';

const PATIENCE_MS = 2_000;

/** What still uses a scratch database, a line each: clients not released, and sessions that belong to neither pool. Ends idle pools. */
export async function leftConnections(database: ScratchDatabase, serverUrl: string): Promise<string[]> {
  const held = [database.runtime, database.admin].filter((pool) => pool.totalCount > pool.idleCount);
  if (held.length > 0) return held.map((pool) => `${pool.totalCount - pool.idleCount} client(s) not released`);
  await Promise.all([database.runtime, database.admin].filter((pool) => !pool.ending).map((pool) => pool.end()));
  return untilNoSessions(database.name, serverUrl);
}

async function untilNoSessions(name: string, serverUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    const deadline = systemClock.monotonicMs() + PATIENCE_MS;
    for (;;) {
      const { rows } = await client.query<{ line: string }>(
        `select format('%s (%s): %s', application_name, state, left(query, 200)) as line
           from pg_stat_activity where datname = $1 and backend_type = 'client backend' order by pid`,
        [name],
      );
      // A session outlives its client by some milliseconds.
      if (rows.length === 0 || systemClock.monotonicMs() > deadline) return rows.map(({ line }) => line);
      await systemClock.sleep(5);
    }
  } finally {
    await client.end();
  }
}
