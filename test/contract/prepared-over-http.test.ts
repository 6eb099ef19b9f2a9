import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { manualClock, systemClock } from '../../src/core/clock.js';
import { interrupted } from '../../src/core/errors.js';
import { prepareMatrix } from '../../src/experiment/prepare-run.js';
import { Providers } from '../../src/experiment/providers.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import type { SemanticQuery, UnpreparedReason } from '../../src/memory/query-preparation/query-preparation.js';
import { createQueryPreparer } from '../../src/memory/query-preparation/query-preparer.js';
import type { EmbeddingProvider } from '../../src/provider/embedding.js';
import { KEY, KEY_VARIABLE } from '../support/cli-priced.js';
import { type FileLedgerBench, fileLedgerBench } from '../support/ledger-bench.js';
import type { OpenAiServer } from '../support/openai-server/index.js';
import { sampleContext } from '../support/preparation-context.js';
import { startRemoteServer, writeRemoteMatrix } from '../support/remote-run.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let server: OpenAiServer;
let bench: FileLedgerBench;
let ledger: Ledger;
beforeAll(async () => {
  server = await startRemoteServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  bench = await fileLedgerBench();
  ledger = await bench.create(1_000_000n);
});
afterEach(() => bench.dispose());

/** The embedder of a run, as a matrix configures it. */
async function embedderOf(stage: 'query' | 'index'): Promise<EmbeddingProvider> {
  const folder = await temporaryFolder();
  await writeRemoteMatrix(folder, server);
  const loaded = await prepareMatrix(join(folder, 'priced.yaml'), {});
  const providers = Providers.create(loaded, ['remote'], { [KEY_VARIABLE]: KEY }, systemClock);
  const attribution = { arm: null, fixture: 'small', unit: 'u', stage };
  return providers.embeddings(ledger, attribution, () => {}) as EmbeddingProvider;
}

const OWNER = { tenant: 'e2e', principal: 'small' };
const QUERY: SemanticQuery = {
  owner: OWNER,
  scope: 'standard',
  candidates: 'permitted',
  read_ceiling: 'restricted',
  question: 'Where did Ada move?',
  subjects: [],
};

async function setUp() {
  const provider = await embedderOf('query');
  const clock = manualClock();
  const reasons: UnpreparedReason[] = [];
  const preparer = createQueryPreparer({
    owner: OWNER,
    provider,
    context: sampleContext(provider.tuple, true),
    clock,
    onUnprepared: (reason) => reasons.push(reason),
  });
  const stop = new AbortController();
  const begin = async () => {
    const before = server.requests.length;
    const preparing = preparer.prepare([QUERY], stop.signal);
    await server.received(before + 1);
    return { preparing, before };
  };
  return { clock, reasons, preparer, stop, begin };
}

describe('a preparation over HTTP', () => {
  it('SQ-8 SQ-10 the deadline cancels the request itself; the whole charge stays', async () => {
    const { clock, reasons, preparer, begin } = await setUp();
    server.failNext({ kind: 'silence' });
    const { preparing } = await begin();
    clock.advance(10_000);
    expect(await preparing).toEqual(['unprepared']);
    expect(reasons).toEqual(['deadline']);
    expect(preparer.lookup(QUERY).miss).toBe('unprepared');
    expect(await bench.lines()).toMatchObject([
      { kind: 'reserve', stage: 'query' },
      { kind: 'hold', reason: 'cancelled' },
    ]);
  });

  it("SQ-8 CL-3 a user's stop lets the request finish, and be settled", async () => {
    const { preparer, stop, begin } = await setUp();
    server.failNext({ kind: 'slow', ms: 50 });
    const { preparing } = await begin();
    stop.abort(interrupted('stop'));
    expect(await preparing).toEqual(['prepared']);
    expect(preparer.lookup(QUERY).miss).toBeNull();
    expect(await bench.lines()).toMatchObject([{ kind: 'reserve' }, { kind: 'settle' }]);
  });

  it.each([
    ['a zero vector', [0, 0, 0, 0, 0, 0, 0, 0]],
    ['another length', [1, 2]],
  ])(
    'SQ-10 %s: nothing enters the cache, and the whole charge stays, whatever usage the answer states',
    async (_what, embedding) => {
      const { reasons, preparer, begin } = await setUp();
      const usage = { prompt_tokens: 2, total_tokens: 2 };
      const data = [{ object: 'embedding', index: 0, embedding }];
      server.failNext({ kind: 'body', body: JSON.stringify({ object: 'list', model: 'm', data, usage }) });
      const { preparing } = await begin();
      expect(await preparing).toEqual(['unprepared']);
      expect(reasons).toEqual(['malformed']);
      expect(preparer.lookup(QUERY).miss).toBe('unprepared');
      expect(await bench.lines()).toMatchObject([{ kind: 'reserve' }, { kind: 'hold', reason: 'malformed-response' }]);
    },
  );

  it('CL-3 items: a stop lets a request finish; one that has not begun does not begin', async () => {
    const provider = await embedderOf('index');
    const stop = new AbortController();
    const before = server.requests.length;
    server.failNext({ kind: 'slow', ms: 50 });
    const embedding = provider.embed(['a', 'b'], stop.signal);
    await server.received(before + 1);
    stop.abort(interrupted('stop'));
    expect((await embedding).vectors).toHaveLength(2);
    await expect(provider.embed(['c'], stop.signal)).rejects.toMatchObject({ kind: 'interrupted' });
  });
});
