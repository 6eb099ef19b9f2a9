import { describe, expect, it } from 'vitest';
import { sampleContext } from '../../../test/support/preparation-context.js';
import { manualClock } from '../../core/clock.js';
import { interrupted } from '../../core/errors.js';
import { ProviderFailure } from '../../provider/completion.js';
import type { EmbeddingProvider, EmbeddingTuple } from '../../provider/embedding.js';
import type { SemanticQuery, UnpreparedReason } from './query-preparation.js';
import { createQueryPreparer } from './query-preparer.js';

const OWNER = { tenant: 'lab', principal: 'ada' };
const TUPLE: EmbeddingTuple = { kind: 'openai', endpoint: 'there', model: 'm', dimensions: 2 };
const CONTEXT = sampleContext(TUPLE, true);
const query = (question: string): SemanticQuery => ({
  owner: OWNER,
  scope: 'standard',
  candidates: 'permitted',
  read_ceiling: 'restricted',
  question,
  subjects: [],
});
/** Lets everything that waits for nothing but its turn come to rest. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const VECTOR = Float32Array.of(1, 1);

interface Call {
  readonly texts: readonly string[];
  readonly signal: AbortSignal;
  answer(vectors: readonly Float32Array[]): void;
  fail(error: unknown): void;
}

/** A provider whose answers the test gives; one that heeds its signal fails as an HTTP call does. */
function setUp({ heeds = true } = {}) {
  const clock = manualClock();
  const calls: Call[] = [];
  const reasons: UnpreparedReason[] = [];
  const provider: EmbeddingProvider = {
    tuple: TUPLE,
    embed: (texts, signal) =>
      new Promise((resolve, reject) => {
        const answer = (vectors: readonly Float32Array[]) => resolve({ vectors, reported_model: 'm', usage: null });
        calls.push({ texts, signal, answer, fail: reject });
        const cancelled = () => reject(new ProviderFailure('cancelled', 'ended', { billing: 'unknown' }));
        if (heeds) signal.addEventListener('abort', cancelled);
      }),
  };
  const onUnprepared = (reason: UnpreparedReason): void => void reasons.push(reason);
  const preparer = createQueryPreparer({ owner: OWNER, provider, context: CONTEXT, clock, onUnprepared });
  const stop = new AbortController();
  /** Begins a preparation, and waits until its request is there. */
  const begin = async (...texts: string[]) => {
    let outcomes: readonly string[] | null = null;
    const done = preparer.prepare(texts.map(query), stop.signal).then((found) => {
      outcomes = found;
      return found;
    });
    done.catch(() => {});
    const asked = calls.length;
    while (calls.length === asked) await settled();
    return { done, call: calls.at(-1) as Call, outcomes: () => outcomes };
  };
  return { clock, calls, reasons, preparer, begin, stop };
}

describe('SQ-8 ten seconds for the whole preparation', () => {
  it('SQ-8 an answer at 9.999 s is in', async () => {
    const { clock, begin, preparer, reasons } = setUp();
    const { done, call } = await begin('a');
    clock.advance(9_999);
    expect(call.signal.aborted).toBe(false);
    call.answer([VECTOR]);
    expect(await done).toEqual(['prepared']);
    clock.advance(60_000);
    expect(preparer.lookup(query('a')).vector).toEqual(VECTOR);
    expect(reasons).toEqual([]);
  });

  it('SQ-8 at 10 s the request is cancelled, and the whole group is unprepared', async () => {
    const { clock, begin, preparer, reasons, calls } = setUp();
    const { done, call } = await begin('a', 'b');
    clock.advance(10_000);
    expect(call.signal.aborted).toBe(true);
    expect(await done).toEqual(['unprepared', 'unprepared']);
    expect(preparer.lookup(query('a')).miss).toBe('unprepared');
    expect(reasons).toEqual(['deadline']);
    clock.advance(60_000);
    await settled();
    expect(calls).toHaveLength(1);
  });

  it('SQ-8 an answer that arrives at 10 s is none, also where the provider does not heed the cancellation', async () => {
    const { clock, begin, preparer, reasons } = setUp({ heeds: false });
    const { done, call } = await begin('a');
    clock.advance(10_000);
    call.answer([VECTOR]);
    expect(await done).toEqual(['unprepared']);
    expect(preparer.lookup(query('a'))).toEqual({ vector: null, miss: 'unprepared' });
    expect(reasons).toEqual(['deadline']);
  });

  it("SQ-8 a cancelled provider has three seconds to clean up; what it says later is nobody's", async () => {
    const { clock, begin, preparer } = setUp({ heeds: false });
    const { done, call, outcomes } = await begin('a');
    clock.advance(12_999);
    await settled();
    expect(outcomes()).toBeNull();
    clock.advance(1);
    expect(await done).toEqual(['unprepared']);
    call.answer([VECTOR]);
    await settled();
    expect(preparer.lookup(query('a')).miss).toBe('unprepared');
  });

  it('SQ-8 the guards are within it: what they let pass too late is not sent', async () => {
    const { clock, preparer, calls, reasons, stop } = setUp();
    const preparing = preparer.prepare([query('a')], stop.signal);
    clock.advance(10_000);
    expect(await preparing).toEqual(['unprepared']);
    expect([calls.length, reasons]).toEqual([0, ['deadline']]);
  });
});

describe('SQ-8 SQ-4 one-second checks', () => {
  it.each([
    ['a changed context', { ...CONTEXT, surface: 'other' }],
    ['withdrawn admission', null],
  ])(
    'SQ-8 SQ-4 %s in flight cancels the request at the next check, and nothing of it is kept',
    async (_what, context) => {
      const { clock, begin, preparer, reasons } = setUp();
      const { done, call } = await begin('a');
      clock.advance(2_200);
      preparer.changeContext(context);
      clock.advance(799);
      expect(call.signal.aborted).toBe(false);
      clock.advance(1);
      expect(call.signal.aborted).toBe(true);
      expect(await done).toEqual(['unprepared']);
      preparer.changeContext(CONTEXT);
      expect(preparer.lookup(query('a')).miss).toBe('unprepared');
      expect(reasons).toEqual(['context-changed']);
    },
  );

  it('SQ-8 SQ-10 a lease that is lost ends the request: unprepared, by that', async () => {
    const { begin, reasons } = setUp();
    const { done, call } = await begin('a');
    call.fail(new ProviderFailure('cancelled', 'the lease is over', { billing: 'unknown' }));
    expect(await done).toEqual(['unprepared']);
    expect(reasons).toEqual(['lease-lost']);
  });
});

describe('SQ-8 no retry, no queue, and a stop', () => {
  it('SQ-8 a failure is not tried again', async () => {
    const { begin, clock, calls, reasons } = setUp();
    const { done, call } = await begin('a');
    call.fail(new ProviderFailure('rate-limited', 'later', { billing: 'not-billed' }));
    expect(await done).toEqual(['unprepared']);
    clock.advance(60_000);
    await settled();
    expect([calls.length, reasons]).toEqual([1, ['provider-failure']]);
  });

  it('SQ-8 a second preparation while one is under way is refused, and not queued', async () => {
    const { begin, preparer, calls, stop } = setUp();
    const { done, call } = await begin('a');
    await expect(preparer.prepare([query('b')], stop.signal)).rejects.toMatchObject({ code: 'PREPARATION_UNDER_WAY' });
    call.answer([VECTOR]);
    expect(await done).toEqual(['prepared']);
    expect(calls).toHaveLength(1);
    const next = await begin('b');
    next.call.answer([VECTOR]);
    expect(await next.done).toEqual(['prepared']);
  });

  it("CL-3 SQ-8 a user's stop lets a request in flight finish, and is kept; the deadline still cancels it", async () => {
    const first = setUp();
    const one = await first.begin('a');
    first.stop.abort(interrupted('stop'));
    expect(one.call.signal.aborted).toBe(false);
    one.call.answer([VECTOR]);
    expect(await one.done).toEqual(['prepared']);
    await expect(first.preparer.prepare([query('b')], first.stop.signal)).rejects.toMatchObject({
      kind: 'interrupted',
    });
    const second = setUp();
    const other = await second.begin('a');
    second.stop.abort(interrupted('stop'));
    second.clock.advance(10_000);
    expect(await other.done).toEqual(['unprepared']);
  });
});

describe('SQ-10 answers that cannot be used', () => {
  it.each<[string, readonly Float32Array[]]>([
    ['too few vectors', [VECTOR]],
    ['too many vectors', [VECTOR, VECTOR, VECTOR]],
    ['another length', [VECTOR, Float32Array.of(1, 2, 3)]],
    ['NaN', [VECTOR, Float32Array.of(Number.NaN, 1)]],
    ['an infinity', [VECTOR, Float32Array.of(1, Number.POSITIVE_INFINITY)]],
    ['a zero vector', [VECTOR, Float32Array.of(0, -0)]],
  ])('SQ-10 of %s nothing enters the cache', async (_what, vectors) => {
    const { begin, preparer, reasons } = setUp();
    const { done, call } = await begin('a', 'b');
    call.answer(vectors);
    expect(await done).toEqual(['unprepared', 'unprepared']);
    expect([preparer.lookup(query('a')).miss, preparer.lookup(query('b')).miss]).toEqual(['unprepared', 'unprepared']);
    expect(reasons).toEqual(['malformed']);
  });
});
