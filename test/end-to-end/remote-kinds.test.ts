import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startAnthropicServer } from '../support/anthropic-server/index.js';
import { simpleModels } from '../support/chat-models.js';
import { SLOW_TEST_MS } from '../support/cli.js';
import {
  BM25,
  type JournalLine,
  KEY,
  KEY_VARIABLE,
  PRICES,
  run,
  writeFixture,
  writeMatrix,
} from '../support/cli-priced.js';
import type { ModelServer } from '../support/model-server/server.js';
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server/index.js';
import { embeddingRequests, sumOfActual } from '../support/remote-run.js';
import { temporaryFolder } from '../support/temporary-folder.js';

vi.setConfig({ testTimeout: SLOW_TEST_MS });

const price = (input: string, output?: string) => ({ as_of: '2026-05-01', source: 'the test server', input, output });
const SEMANTIC = { name: 'semantic', retrieval: { strategy: 'semantic', limit: 3 } };

describe('a matrix whose every stage is sent to another API', () => {
  let openai: OpenAiServer;
  let anthropic: ModelServer;
  beforeAll(async () => {
    openai = await startOpenAiServer({
      api_key: KEY,
      models: { ...PRICES, 'embed-1': { input_nano_usd: 20n, output_nano_usd: 0n } },
      answer: simpleModels(),
    });
    anthropic = await startAnthropicServer({
      api_key: KEY,
      models: { 'former-1': PRICES['former-1'] },
      answer: simpleModels(),
      written_tokens: 5,
    });
  });
  afterAll(async () => {
    await openai.close();
    await anthropic.close();
  });

  it('PR-1 PR-2 LG-1 LG-7 LG-12 FB-17 formation by Messages, reading by Responses, vectors by Embeddings; a try that failed is held, and tried again', async () => {
    const folder = await temporaryFolder();
    const fixture = await writeFixture(folder, 'small');
    const entry = { api_key_env: KEY_VARIABLE, retry: { attempts: 3 } };
    const matrix = await writeMatrix(folder, {
      url: openai.url,
      fixtures: [fixture],
      arms: [BM25, SEMANTIC],
      concurrency: 1,
      profile: { provider: 'claude' },
      provider: { wire_api: 'responses', retry: { attempts: 3, max_wait_ms: 1000 }, requests_per_minute: 1000 },
      providers: { claude: { kind: 'anthropic', base_url: anthropic.url, endpoint_name: 'e2e-claude', ...entry } },
      embedding: { provider: 'remote', model: 'embed-1', dimensions: 8 },
      prices: { 'embed-1': price('0.02') },
    });
    openai.failNext({ kind: 'status', status: 429, headers: { 'retry-after': '0' } });
    openai.failNext({ kind: 'status', status: 500 });
    const { code, result, rows, journal } = await run(folder, matrix);
    expect(code, JSON.stringify(result.problems)).toBe(0);
    expect(result.arms.map(({ status, degraded }) => ({ status, degraded }))).toEqual([
      { status: 'complete', degraded: false },
      { status: 'complete', degraded: false },
    ]);
    expect(rows.every(({ outcome }) => outcome.kind === 'answered')).toBe(true);
    const paths = openai.requests.map(({ path }) => path);
    expect(new Set(paths)).toEqual(new Set(['/v1/embeddings', '/v1/responses']));
    expect(anthropic.requests).toHaveLength(2);
    expect(anthropic.requests.every(({ path }) => path === '/v1/messages')).toBe(true);
    // Each request that came in is a reservation of its own, and none else was made.
    const reserved = journal.filter(({ kind }) => kind === 'reserve');
    expect(reserved).toHaveLength(openai.requests.length + anthropic.requests.length);
    expect(new Set(reserved.map(({ stage }) => stage))).toEqual(new Set(['formation', 'index', 'query', 'reader']));
    const ended = (kind: JournalLine['kind']) => journal.filter((line) => line.kind === kind).length;
    expect({ hold: ended('hold'), release: ended('release') }).toEqual({ hold: 1, release: 1 });
    // What the servers bill beyond the try that broke is what was spent, to the nano-dollar.
    const billed = openai.bill().nano_usd + anthropic.bill().nano_usd;
    const { spent_nano_usd, held_nano_usd, uncertain_nano_usd } = result.ledger;
    expect(sumOfActual(result)).toEqual({ paid: spent_nano_usd, uncertain: uncertain_nano_usd });
    expect(billed).toBeLessThanOrEqual(BigInt(spent_nano_usd + held_nano_usd));
    expect(held_nano_usd).toBeGreaterThan(0);
    // Replayed, the second run sends nothing to the former, and embeds nothing.
    const embedded = embeddingRequests(openai).length;
    const second = await run(folder, matrix);
    expect(second.code).toBe(0);
    expect(anthropic.requests).toHaveLength(2);
    expect(embeddingRequests(openai)).toHaveLength(embedded);
    expect(second.result.formation.map(({ source }) => source)).toEqual(['replayed']);
  });
});
