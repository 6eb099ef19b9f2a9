import { afterAll, beforeAll, expect, it } from 'vitest';
import { BM25, KEY, KEY_VARIABLE } from '../../test/support/cli-priced.js';
import type { OpenAiServer } from '../../test/support/openai-server/index.js';
import {
  embeddingRequests,
  MOODY,
  runRemote,
  startRemoteServer,
  writeRemoteMatrix,
} from '../../test/support/remote-run.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { retrievalFactors } from './arm-factors.js';
import { planRun } from './planning/plan-run.js';
import { prepareMatrix } from './prepare-run.js';

const SEMANTIC = { name: 'semantic', retrieval: { strategy: 'semantic', limit: 5 } };
const OFF = { name: 'semantic-off', retrieval: SEMANTIC.retrieval, query_preparation: 'off' };

let server: OpenAiServer;
beforeAll(async () => {
  server = await startRemoteServer();
});
afterAll(() => server.close());

it('SQ-2 SQ-1 an arm whose preparation is off misses every lookup as `off`, finds what bm25 finds, and is not degraded; its twin has vectors', async () => {
  const folder = await temporaryFolder();
  const path = await writeRemoteMatrix(folder, server, { arms: [BM25, SEMANTIC, OFF] });
  const { result, rows } = await runRemote(folder);
  expect(result.status).toBe('complete');
  const of = (arm: string) => rows.filter((row) => row.arm === arm);
  expect(new Set(of('semantic-off').map((row) => [row.lookup_miss, row.effective_strategy].join()))).toEqual(
    new Set(['off,bm25']),
  );
  expect(of('semantic-off').map(({ retrieved }) => retrieved)).toEqual(of('bm25').map(({ retrieved }) => retrieved));
  expect(of('semantic').every(({ lookup_miss }) => lookup_miss === null)).toBe(true);
  expect(result.arms.map(({ arm, degraded, lookup_misses }) => [arm, degraded, lookup_misses])).toEqual([
    ['bm25', false, {}],
    ['semantic', false, {}],
    ['semantic-off', false, { off: of('semantic-off').length }],
  ]);
  // It is charged for no vector, and names no vector bank.
  expect(
    of('semantic-off').every(
      ({ attributed: { index, query }, vector_bank }) =>
        index.nano_usd === 0 && query.nano_usd === 0 && vector_bank === null,
    ),
  ).toBe(true);
  const { matrix } = await prepareMatrix(path, {});
  expect(matrix.arms.map((arm) => retrievalFactors(matrix, arm).query_preparation)).toEqual([MOODY, MOODY, 'off']);
});

it('SQ-2 MX-4 MX-6 where every arm that scores vectors is off, nothing is embedded, planned to be, or needs a key', async () => {
  const folder = await temporaryFolder();
  const embedder = { kind: 'openai', base_url: server.url, endpoint_name: 'e2e-embedder', api_key_env: 'RM_EMBED_KEY' };
  const path = await writeRemoteMatrix(folder, server, {
    arms: [BM25, OFF],
    providers: { embedder },
    embedding: { provider: 'embedder', model: MOODY, dimensions: 8 },
  });
  const none = { calls: 0, sends: 0 };
  expect(await planRun(path, {})).toMatchObject({ index: none, query: none });
  const before = server.requests.length;
  const { result } = await runRemote(folder, { environment: { [KEY_VARIABLE]: KEY } });
  expect(result.status).toBe('complete');
  expect(embeddingRequests(server, before)).toEqual([]);
  expect(result.formation[0]?.vectors).toEqual([]);
});
