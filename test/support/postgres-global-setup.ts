import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { systemClock } from '../../src/core/clock.js';
import { CLUSTER_VARIABLE } from '../../src/postgres/embedded/cluster-folder.js';
import { startEmbedded } from '../../src/postgres/embedded/embedded-server.js';
import { useMemoryFolder } from './memory-folder.js';

/** Names a server that is there already: of those who start many test runs (scripts/mutants.mjs), or of the run's other project. */
const PRESENT_SERVER = 'RECALL_MATRIX_TEST_POSTGRES_URL';

/** Starts one local server for the whole test run (both of its projects) and tells the workers where it is. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const removeMemory = await useMemoryFolder();
  const removeClusters = await keepClustersApart();
  const present = process.env[PRESENT_SERVER];
  const server = present === undefined ? await startTestServer() : null;
  const url = present ?? (server as TestServer).url;
  project.provide('postgresUrl', url);
  process.env[PRESENT_SERVER] = url;
  return async () => {
    if (server !== null) delete process.env[PRESENT_SERVER];
    await server?.stop();
    await removeClusters();
    await removeMemory();
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
export interface TestServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Starts one. */
export async function startTestServer(): Promise<TestServer> {
  const server = await startEmbedded({ cacheFolder: null, clock: systemClock, signal: new AbortController().signal });
  return { url: urlOf(server.address), stop: () => server.stop() };
}

function urlOf({ host, port, user, password, database }: Awaited<ReturnType<typeof startEmbedded>>['address']): string {
  const place = host.startsWith('/') ? '' : `${host}:${port}`;
  const query = host.startsWith('/') ? `?host=${encodeURIComponent(host)}&port=${port}` : '';
  return `postgres://${user}${password === '' ? '' : `:${password}`}@${place}/${database}${query}`;
}
