import type { TestProject } from 'vitest/node';
import { systemClock } from '../../src/core/clock.js';
import { startEmbedded } from '../../src/postgres/embedded/embedded-server.js';

/** Names a server that is there already, for those who start many test runs (scripts/mutants.mjs). */
const PRESENT_SERVER = 'RECALL_MATRIX_TEST_POSTGRES_URL';

/** Starts one local server for the whole test run and tells the workers where it is. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const present = process.env[PRESENT_SERVER];
  if (present !== undefined) {
    project.provide('postgresUrl', present);
    return async () => {};
  }
  const server = await startTestServer();
  project.provide('postgresUrl', server.url);
  return () => server.stop();
}

/** A local server of one's own, as its superuser. */
export async function startTestServer(): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const server = await startEmbedded({ cacheFolder: null, clock: systemClock, signal: new AbortController().signal });
  return { url: urlOf(server.address), stop: () => server.stop() };
}

function urlOf({ host, port, user, password, database }: Awaited<ReturnType<typeof startEmbedded>>['address']): string {
  const place = host.startsWith('/') ? '' : `${host}:${port}`;
  const query = host.startsWith('/') ? `?host=${encodeURIComponent(host)}&port=${port}` : '';
  return `postgres://${user}${password === '' ? '' : `:${password}`}@${place}/${database}${query}`;
}
