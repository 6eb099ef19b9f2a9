import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sampleContext } from '../../../test/support/preparation-context.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { manualClock } from '../../core/clock.js';
import { budgetRefused } from '../../core/errors.js';
import type { Question } from '../../fixture/question.js';
import { AdmissionRefused } from '../../memory/query-preparation/admission-refused.js';
import type { SemanticQuery } from '../../memory/query-preparation/query-preparation.js';
import { ProviderFailure } from '../../provider/completion.js';
import type { EmbeddingProvider, EmbeddingTuple } from '../../provider/embedding.js';
import { createLocalEmbeddingAdapter } from '../../provider/local/embedding.js';
import { EmbeddingPool } from '../../provider/local/embedding-pool.js';
import { countTokens } from '../../provider/tokenizer.js';
import { NO_USAGE } from '../../provider/usage.js';
import { CallAccount } from '../asking/call-account.js';
import { splitByWeight } from '../summary/split-by-weight.js';
import { SessionQueries } from './query-groups/session-queries.js';
import { QueryMisses } from './query-misses.js';
import { QueryPins } from './query-pins.js';
import { QueryVectors } from './query-vectors.js';

const OWNER = { tenant: 'lab', principal: 'ada' };
const TUPLE: EmbeddingTuple = { kind: 'openai', endpoint: 'e', model: 'm', dimensions: 2 };
const SIGNAL = new AbortController().signal;
const PRICE = {
  model: 'm',
  as_of: '2026-05-01',
  source: null,
  tiers: [{ above_input_tokens: 0, input: '0.02', cache_read: null, cache_write: null, output: null }],
};

const question = (text: string): Question => ({
  id: text,
  question: text,
  asked_at: '2026-01-01T00:00:00' as Question['asked_at'],
  subjects: [],
});
const questions = (count: number): Question[] => Array.from({ length: count }, (_, index) => question(`q${index + 1}`));
const queryOf = (text: string, read_ceiling: SemanticQuery['read_ceiling'] = 'restricted'): SemanticQuery => ({
  owner: OWNER,
  scope: 'standard',
  candidates: 'permitted',
  read_ceiling,
  question: text,
  subjects: [],
});
const failure = () => new ProviderFailure('server-error', 'the server failed', { billing: 'unknown' });

interface Setting {
  readonly clock?: ReturnType<typeof manualClock>;
  readonly session?: SessionQueries;
  readonly owner?: typeof OWNER;
  readonly fixture?: string;
  /** What the nth request, from 0, gives; undefined is an answer. */
  readonly script?: (request: number) => Error | undefined | Promise<Error | undefined>;
  readonly path?: string;
}

async function setUp({ script = () => undefined, ...setting }: Setting = {}) {
  const { clock = manualClock(), session = new SessionQueries(), owner = OWNER, fixture = 'mill' } = setting;
  const folder = setting.path ?? (await temporaryFolder());
  const account = new CallAccount();
  const requests: string[][] = [];
  let inFlight = 0;
  const most = { inFlight: 0 };
  const provider: EmbeddingProvider = {
    tuple: TUPLE,
    embed: async (texts) => {
      requests.push(texts.map((text) => JSON.parse(text)[0]));
      most.inFlight = Math.max(most.inFlight, ++inFlight);
      try {
        const error = await script(requests.length - 1);
        if (error instanceof AdmissionRefused) throw error;
        const usage = error === undefined ? { ...NO_USAGE, input_uncached: 10 } : null;
        account.add({ usage, attributed_nano_usd: usage === null ? null : 10n, is_send: true } as never);
        if (error !== undefined) throw error;
        return { vectors: texts.map((text) => Float32Array.of(text.length, 1)), reported_model: 'm', usage };
      } finally {
        inFlight -= 1;
      }
    },
  };
  const pins = await QueryPins.open(join(folder, `${fixture}.queries.jsonl`));
  const misses = await QueryMisses.open(join(folder, `${fixture}.misses.jsonl`));
  const vectors = new QueryVectors({
    provider,
    context: sampleContext(TUPLE, true),
    clock,
    owner,
    account,
    pins,
    misses,
    price: PRICE,
    secrets: ['secret'],
    onWithheld: () => {},
    onFailure: () => {},
    fixture,
    session,
  });
  const ask = (text: string) => vectors.prepare(owner, question(text), SIGNAL);
  return { vectors, ask, requests, clock, session, most, folder, pins };
}

describe('SQ-2 SQ-9 groups of questions', () => {
  it('SQ-2 SQ-9 are of at most four, fixed by load order over what is not pinned, and prepared when the first of them is asked', async () => {
    const { vectors, ask, requests, pins } = await setUp();
    await pins.keep((await import('../../memory/query-preparation/query-identity.js')).queryTextDigest(queryOf('q2')), {
      vector: Float32Array.of(1, 1),
      usage: NO_USAGE,
    });
    vectors.expect([...questions(10), question('q1')]);
    expect(requests).toEqual([]);
    await ask('q3');
    expect(requests).toEqual([['q1', 'q3', 'q4', 'q5']]);
    for (const { question: text } of questions(5)) await ask(text);
    expect(requests).toHaveLength(1);
    await ask('q6');
    expect(requests).toEqual([
      ['q1', 'q3', 'q4', 'q5'],
      ['q6', 'q7', 'q8', 'q9'],
    ]);
    await vectors.close();
  });

  it('SQ-9 are prepared in their order, however they are asked: one at a time, each once', async () => {
    const { vectors, ask, requests, most } = await setUp();
    vectors.expect(questions(10));
    await Promise.all([...questions(10), ...questions(10)].reverse().map(({ question: text }) => ask(text)));
    expect(requests.map(([first, ...rest]) => [first, rest.length])).toEqual([
      ['q1', 3],
      ['q5', 3],
      ['q9', 1],
    ]);
    expect(most.inFlight).toBe(1);
    await vectors.close();
  });

  it('SQ-8 SQ-1 one that failed is not sent again in the session: its questions miss under every read ceiling, the others do not', async () => {
    const { vectors, ask, requests, session, folder } = await setUp({
      script: (n) => (n === 1 ? failure() : undefined),
    });
    vectors.expect(questions(10));
    for (const { question: text } of questions(10)) await ask(text);
    for (const { question: text } of questions(10)) await ask(text);
    expect(requests).toHaveLength(3);
    const missOf = (text: string, ceiling?: 'public') => vectors.lookup.lookup(queryOf(text, ceiling)).miss;
    expect(['q4', 'q5', 'q8', 'q9'].map((text) => missOf(text))).toEqual([null, 'unprepared', 'unprepared', null]);
    expect(missOf('q5', 'public')).toBe('unprepared');
    await vectors.close();
    // Another replicate of the fixture is of the same session.
    const again = await setUp({ session, path: folder });
    again.vectors.expect(questions(10));
    for (const { question: text } of questions(10)) await again.ask(text);
    expect(again.requests).toEqual([]);
    await again.vectors.close();
    // Another session tries what has no vector, in groups of what is left.
    const resumed = await setUp({ path: folder });
    resumed.vectors.expect(questions(10).slice(4));
    await resumed.ask('q9');
    expect(resumed.requests).toEqual([]);
    await resumed.ask('q6');
    expect(resumed.requests).toEqual([['q5', 'q6', 'q7', 'q8']]);
    await resumed.vectors.close();
  });

  it('SQ-7 SQ-1 what is withheld keeps its place in its group, and is a miss that names the guard under every read ceiling', async () => {
    const { vectors, ask, requests } = await setUp();
    vectors.expect([question('q1'), question('secret'), ...questions(6).slice(1)]);
    await ask('q1');
    await ask('secret');
    expect(requests).toEqual([['q1', 'q2', 'q3']]);
    expect(vectors.lookup.lookup(queryOf('secret', 'public')).miss).toBe('withheld:credential');
    await vectors.close();
  });

  it('MX-9 a group that the budget refuses is not tried: it is prepared when it is asked again', async () => {
    const refusal = budgetRefused('BUDGET', 'no money', { remedy: 'more' });
    const { vectors, ask, requests } = await setUp({ script: (n) => (n === 0 ? refusal : undefined) });
    vectors.expect(questions(4));
    await expect(ask('q1')).rejects.toBe(refusal);
    await ask('q2');
    expect(requests).toHaveLength(2);
    expect(vectors.lookup.lookup(queryOf('q2')).miss).toBeNull();
    await vectors.close();
  });

  it('SQ-9 VB-3 what is pinned is found by every lookup, however many are asked between its preparation and its lookup', async () => {
    const { vectors, ask } = await setUp();
    const many = questions(200);
    vectors.expect(many);
    for (const { question: text } of many) await ask(text);
    const misses = many.map(({ question: text }) => vectors.lookup.lookup(queryOf(text)).miss);
    expect(misses.filter((miss) => miss !== null)).toEqual([]);
    await vectors.close();
  });

  it('SQ-12 a query that no one expected is a group of its own', async () => {
    const { vectors, ask, requests } = await setUp();
    vectors.expect(questions(4));
    await ask('what else?');
    expect(requests).toEqual([['what else?']]);
    await vectors.close();
  });

  it('VB-3 all that a bank is to pin is prepared in groups, durably; a refusal leaves what came before it', async () => {
    const refusal = budgetRefused('BUDGET', 'no money', { remedy: 'more' });
    const { vectors, requests, folder } = await setUp({ script: (n) => (n === 1 ? refusal : undefined) });
    await expect(vectors.prepareAll(OWNER, questions(6), SIGNAL)).rejects.toBe(refusal);
    expect(requests).toEqual([
      ['q1', 'q2', 'q3', 'q4'],
      ['q5', 'q6'],
    ]);
    expect(vectors.pinned(questions(6)).size).toBe(4);
    await vectors.close();
    const later = await setUp({ path: folder });
    expect(later.vectors.pinned(questions(6)).size).toBe(4);
    await later.vectors.close();
  });
});

describe('OB-2 what a question of a group costs', () => {
  it('OB-2 is its share of the request by the tokens of its text, summing up exactly, whichever arm asks and whether pinned', async () => {
    const { vectors, ask, folder } = await setUp();
    const long = 'Where did Ada go, and who went with her?';
    vectors.expect([question('a'), question(long), question('b')]);
    const tokens = async (text: string) => (await ask(text)).usage?.input_uncached;
    const counted = ['a', long, 'b'].map((text) => BigInt(countTokens(JSON.stringify([text]))));
    expect(counted[1]).toBeGreaterThan(2n * (counted[0] ?? 0n));
    const shares = splitByWeight(10n, counted).map(Number);
    expect([await tokens('a'), await tokens(long), await tokens('b')]).toEqual(shares);
    expect(await tokens(long)).toBe(shares[1]);
    await vectors.close();
    const later = await setUp({ path: folder });
    expect((await later.ask(long)).usage?.input_uncached).toBe(shares[1]);
    await later.vectors.close();
  });

  it('OB-2 of a failed request it is not known, and of what was never sent it is nothing', async () => {
    const { vectors, ask } = await setUp({ script: failure });
    vectors.expect([question('a'), question('secret')]);
    expect(await ask('a')).toMatchObject({ usage: null, attributed_nano_usd: null });
    expect(await ask('secret')).toMatchObject({ usage: NO_USAGE, attributed_nano_usd: 0n });
    await vectors.close();
  });
});

describe('SQ-9 the turn of an owner', () => {
  it('SQ-9 is one for all fixtures of the session, and for each owner its own', async () => {
    const session = new SessionQueries();
    const order: string[] = [];
    const opened: (() => void)[] = [];
    const held = (name: string) => async () => {
      order.push(`${name} begins`);
      await new Promise<void>((resolve) => opened.push(resolve));
      order.push(`${name} ends`);
      return undefined;
    };
    const mill = await setUp({ session, fixture: 'mill', script: held('mill') });
    const lake = await setUp({ session, fixture: 'lake', script: held('lake') });
    const other = await setUp({ session, fixture: 'hill', owner: { ...OWNER, principal: 'bo' }, script: held('hill') });
    const asked = [mill.ask('q1'), lake.ask('q1'), other.ask('q1')];
    await until(() => opened.length === 2);
    expect(order).toEqual(['mill begins', 'hill begins']);
    for (const open of opened) open();
    await until(() => opened.length === 3);
    opened[2]?.();
    await Promise.all(asked);
    expect(order.indexOf('lake begins')).toBeGreaterThan(order.indexOf('mill ends'));
    for (const { vectors } of [mill, lake, other]) await vectors.close();
  });

  it.each([
    ['19.999 s', 19_999, null],
    ['20.001 s', 20_001, 'refused:slot'],
  ])('SQ-9 where another process holds it, it is waited for 20 s: free after %s', async (_what, freeAfter, miss) => {
    const clock = manualClock();
    let told = 0;
    const { vectors, ask } = await setUp({
      clock,
      session: new SessionQueries(() => void told++),
      script: () =>
        clock.monotonicMs() >= freeAfter ? undefined : new AdmissionRefused('slot', 'another request is open', 'wait'),
    });
    vectors.expect(questions(2));
    await ask('q1');
    expect(vectors.lookup.lookup(queryOf('q1')).miss).toBe(miss);
    expect(clock.monotonicMs()).toBeLessThanOrEqual(20_000);
    expect(told).toBe(1);
    await vectors.close();
  });

  it('SQ-9 a ceiling is not waited for', async () => {
    const { vectors, ask, clock, requests } = await setUp({
      script: () => new AdmissionRefused('day', 'the day is spent', 'wait'),
    });
    await ask('q1');
    await ask('q1');
    expect(vectors.lookup.lookup(queryOf('q1')).miss).toBe('refused:day');
    expect([clock.monotonicMs(), requests.length]).toEqual([0, 1]);
    await vectors.close();
  });

  it('CL-3 SQ-9 a stop ends the waiting', async () => {
    const stop = new AbortController();
    const clock = { ...manualClock(), sleep: async () => stop.abort() };
    const { vectors } = await setUp({
      clock: clock as never,
      script: () => new AdmissionRefused('slot', 'another request is open', 'wait'),
    });
    await expect(vectors.prepare(OWNER, question('q1'), stop.signal)).rejects.toMatchObject({
      kind: 'interrupted',
    });
    await vectors.close();
  });
});

describe('RT-2 the local embedder', () => {
  const pool = new EmbeddingPool();
  afterAll(() => pool.close());

  it('RT-2 SQ-2 OB-2 gives a question the same vector, bit for bit, and the same cost, in whatever group it is', async () => {
    const adapter = createLocalEmbeddingAdapter('use-lite-512', pool);
    const vectorsOf = async (groups: readonly Question[][]) => {
      const folder = await temporaryFolder();
      const pins = await QueryPins.open(join(folder, 'q.jsonl'));
      const account = new CallAccount();
      const vectors = new QueryVectors({
        provider: {
          tuple: adapter.tuple,
          embed: async (texts, signal) => {
            const result = await adapter.prepare(texts).send(signal);
            account.add({ usage: result.usage, attributed_nano_usd: null, is_send: false } as never);
            return result;
          },
        },
        context: sampleContext(adapter.tuple, false),
        clock: manualClock(),
        owner: OWNER,
        account,
        pins,
        misses: await QueryMisses.open(join(folder, 'm.jsonl')),
        price: null,
        secrets: [],
        onWithheld: () => {},
        onFailure: () => {},
        fixture: 'mill',
        session: new SessionQueries(),
      });
      for (const group of groups) await vectors.prepareAll(OWNER, group, SIGNAL);
      await vectors.close();
      return [...vectors.pinned(all)].map(([text, { vector, usage }]) => {
        return { text, usage, vector: Buffer.from(vector.buffer).toString('hex') };
      });
    };
    const all = ['Where did Ada move?', 'Who has a parrot?', 'Does she own a boat?', 'What was paid?'].map(question);
    const together = await vectorsOf([all]);
    const alone = await vectorsOf(all.map((one) => [one]));
    expect(together).toHaveLength(4);
    expect(together).toEqual(alone);
  });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
