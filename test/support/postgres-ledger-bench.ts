import pg from 'pg';
import { manualClock, systemClock } from '../../src/core/clock.js';
import { type LedgerLine, lineSchema } from '../../src/ledger/journal-line.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import { openPostgresLedger, type PostgresLedgerOptions } from '../../src/ledger/postgres/postgres-ledger.js';
import { storedLines } from '../../src/ledger/postgres/stored-lines.js';
import type { LedgerBench } from './ledger-bench.js';
import { testServerUrl } from './postgres.js';
import { openUrlPool } from './url-pool.js';

export interface PostgresLedgerBench extends LedgerBench {
  readonly url: string;
  readonly pool: pg.Pool;
  /** Opens the ledger once more, beside those that are open. */
  open(options: Pick<PostgresLedgerOptions, 'mode' | 'limit'> & Partial<PostgresLedgerOptions>): Promise<Ledger>;
}

let count = 0;

/** A ledger in a database of its own on the test run's server. */
export async function postgresLedgerBench(run = 'run-1'): Promise<PostgresLedgerBench> {
  count += 1;
  const database = `test_ledger_${process.pid}_${count}`;
  await onServer(`create database ${database} template template0`);
  const url = testServerUrl().replace(/\/[^/?]*(\?|$)/, `/${database}$1`);
  const pool = openUrlPool(url);
  const opened: Ledger[] = [];
  let current: Ledger | null = null;
  const open: PostgresLedgerBench['open'] = async (options) => {
    const clock = { ...manualClock(), sleep: systemClock.sleep };
    const ledger = await openPostgresLedger({ pool, shown: 'the test server', run, clock, ...options });
    opened.push(ledger);
    return ledger;
  };
  const replace = async (options: Parameters<typeof open>[0]): Promise<Ledger> => {
    await current?.close();
    current = await open(options);
    return current;
  };
  return {
    place: { home: 'postgres', url },
    url,
    pool,
    open,
    create: (limit) => replace({ mode: 'create', limit }),
    reopen: (limit, amendLimit = false) => replace({ mode: 'resume', limit, amendLimit }),
    lines: async () => {
      const lines: LedgerLine[] = [];
      for await (const text of storedLines(pool, run)) {
        const line = JSON.parse(text) as { kind?: string };
        if (line.kind !== undefined) lines.push(lineSchema.parse(line));
      }
      return lines;
    },
    dispose: async () => {
      for (const ledger of opened) await ledger.close().catch(() => {});
      await pool.end();
      await onServer(`drop database ${database} with (force)`);
    },
  };
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: testServerUrl() });
  await client.connect();
  await client.query(statement);
  await client.end();
}
