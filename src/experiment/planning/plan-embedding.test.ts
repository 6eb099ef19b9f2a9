import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { KEY, KEY_VARIABLE } from '../../../test/support/cli-priced.js';
import { keptFolder } from '../../../test/support/kept-folder.js';
import type { OpenAiServer } from '../../../test/support/openai-server/index.js';
import { MOODY, runRemote, startRemoteServer, writeRemoteMatrix } from '../../../test/support/remote-run.js';
import type { RunPlan } from '../experiment.js';
import { planRun } from './plan-run.js';

const QUESTIONS = 4;
/** One group of them. */
const GROUPS = 1;
const BOTH = { [KEY_VARIABLE]: KEY, RM_EMBED_KEY: KEY };

let server: OpenAiServer;
let folder: string;
let remove: () => Promise<void>;
let unrecorded: RunPlan;
let paid: { readonly index: number; readonly query: number };

beforeAll(async () => {
  ({ path: folder, remove } = await keptFolder());
  server = await startRemoteServer();
  const embedder = {
    kind: 'openai',
    base_url: server.url,
    endpoint_name: 'e2e-embedder',
    api_key_env: 'RM_EMBED_KEY',
    retry: { attempts: 2 },
  };
  const embedding = { provider: 'embedder', model: MOODY, dimensions: 8 };
  await writeRemoteMatrix(folder, server, { providers: { embedder }, embedding });
  unrecorded = await plan();
  expect(server.requests).toHaveLength(0);
  const { index, query } =
    (await runRemote(folder, { environment: BOTH })).result.formation[0]?.embedding ?? expect.fail();
  paid = { index: index.actual_nano_usd, query: query.actual_nano_usd };
});
afterAll(async () => {
  await server.close();
  await remove();
});

const plan = () => planRun(join(folder, 'priced.yaml'), {});
const worst = (cost: RunPlan['total']): number => cost.worst_nano_usd ?? expect.fail();

async function removeVectorBanks(): Promise<void> {
  const names = await readdir(join(folder, 'banks'));
  for (const name of names.filter((one) => one.endsWith('.vectors.bin'))) await rm(join(folder, 'banks', name));
}

it('MX-6 before a bank is there, vectors of beliefs that are not formed yet are estimated, those of turns and questions counted', () => {
  const { index, query, embedding, total, formation, reader } = unrecorded;
  expect(query).toMatchObject({ calls: GROUPS, sends: GROUPS });
  expect(embedding).toMatchObject({ sends: GROUPS, questions: QUESTIONS });
  expect(index.sends).toBeGreaterThan(1);
  expect(worst(index)).toBeGreaterThan(paid.index);
  expect(index.expected_nano_usd).toBeLessThan(worst(index));
  expect(worst(query)).toBeGreaterThanOrEqual(paid.query);
  expect(worst(total)).toBe(worst(formation) + worst(index) + worst(query) + worst(reader));
});

it('MX-6 MX-4 VB-1 where every vector is in a bank, none is planned, and no key of the embedder is needed', async () => {
  const { index, query, total, formation, reader } = await plan();
  const none = { calls: 0, sends: 0, expected_nano_usd: 0, worst_nano_usd: 0 };
  expect({ index, query }).toEqual({ index: none, query: none });
  expect(total.worst_nano_usd).toBe(worst(formation) + worst(reader));
  const { result } = await runRemote(folder, { environment: { [KEY_VARIABLE]: KEY } });
  expect(result.status).toBe('complete');
});

it('MX-6 MX-4 where beliefs are formed and their vectors are not banked, requests are counted as they will be sent, at each try; the key is needed', async () => {
  await removeVectorBanks();
  const { index, query } = await plan();
  expect(index).toMatchObject({ calls: 2, sends: 2 });
  expect(query.sends).toBe(GROUPS);
  expect(worst(index)).toBeGreaterThan(2 * paid.index);
  expect(Math.abs((index.expected_nano_usd ?? 0) - paid.index)).toBeLessThan(paid.index / 2);
  const before = server.requests.length;
  const unkeyed = runRemote(folder, { environment: { [KEY_VARIABLE]: KEY } });
  await expect(unkeyed).rejects.toMatchObject({ errors: [{ code: 'ENV_MISSING' }] });
  expect(server.requests).toHaveLength(before);
});
