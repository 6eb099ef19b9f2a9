import { afterAll, afterEach, beforeAll, beforeEach, inject, onTestFinished } from 'vitest';
import { systemClock } from '../../src/core/clock.js';
import { openPostgres } from '../../src/postgres/open.js';
import type { Migration, PostgresServer, ScratchDatabase } from '../../src/postgres/postgres.js';
import { leftConnections } from './connection-leaks.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the one server of the test run, as its superuser; started by `postgres-global-setup.ts`. */
    postgresUrl: string;
  }
}

let server: Promise<PostgresServer> | null = null;

/** The URL of the test run's server, for code that takes `--database-url`. */
export function testServerUrl(): string {
  return inject('postgresUrl');
}

/** This worker's view of the test run's one server. Closed by the worker's end; use `testDatabase` for databases. */
export function testServer(): Promise<PostgresServer> {
  server ??= openPostgres({
    databaseUrl: testServerUrl(),
    clock: systemClock,
    signal: new AbortController().signal,
    keepTemplates: true,
  });
  return server;
}

/**
 * A scratch database for the running test, dropped when it ends. The test fails if it left a connection held. Call it inside a test;
 * for a whole file or suite there is `useTestDatabase`.
 */
export async function testDatabase(migrations: readonly Migration[]): Promise<ScratchDatabase> {
  const database = await (await testServer()).createScratch(migrations);
  onTestFinished(() => dropChecked(database));
  return database;
}

/**
 * Registers hooks that give each test (or, `per: 'suite'`, the whole file or `describe`) a scratch database; call it at the top of either.
 *
 * @returns gives the present one.
 */
export function useTestDatabase(
  migrations: readonly Migration[],
  { per }: { readonly per: 'test' | 'suite' } = { per: 'test' },
): () => ScratchDatabase {
  let current: ScratchDatabase | null = null;
  const [before, after] = per === 'test' ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(async () => {
    current = await (await testServer()).createScratch(migrations);
  });
  after(async () => {
    const database = current;
    current = null;
    if (database !== null) await dropChecked(database);
  });
  return () => {
    if (current === null) throw new Error('no test database outside a test');
    return current;
  };
}

/** Drops a scratch database, and fails where a connection to it was left open or held. */
export async function dropChecked(database: ScratchDatabase): Promise<void> {
  const left = await leftConnections(database, testServerUrl());
  await database.drop();
  if (left.length > 0) throw new Error(`connections to ${database.name} were left:\n${left.join('\n')}`);
}
