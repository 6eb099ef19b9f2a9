import type pg from 'pg';
import { readDatabaseUrl } from '../../src/postgres/address.js';
import { openPool } from '../../src/postgres/pool.js';

/** A pool as the program opens one, to the database that a URL names. */
export function openUrlPool(url: string): pg.Pool {
  const address = readDatabaseUrl(url);
  const { database = 'postgres' } = address.config;
  return openPool(address, { database, maxConnections: 16, isDurable: true, applicationName: 'ledger test' });
}
