import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { systemClock } from '../../src/core/clock.js';
import { CLUSTER_VARIABLE } from '../../src/postgres/embedded/cluster-folder.js';
import { startEmbedded } from '../../src/postgres/embedded/embedded-server.js';

/** Names a server that is there already, for those who start many test runs (scripts/mutants.mjs). */
const PRESENT_SERVER = 'RECALL_MATRIX_TEST_POSTGRES_URL';

/** Starts one local server for the whole test run and tells the workers where it is. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const removeClusters = await keepClustersApart();
  const present = process.env[PRESENT_SERVER];
  if (present !== undefined) {
    project.provide('postgresUrl', present);
    return removeClusters;
  }
  const server = await startTestServer();
  project.provide('postgresUrl', server.url);
  return async () => {
    await server.stop();
    await removeClusters();
  };
}

/** No test touches the developer's own cluster: workers, and the commands that they start, keep theirs in a folder of this test run. */
async function keepClustersApart(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'recall-matrix-clusters-'));
  // Root's server runs as another user, who must pass through.
  await chmod(folder, 0o711);
  process.env[CLUSTER_VARIABLE] = folder;
  return () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
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
