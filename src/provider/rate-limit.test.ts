import { describe, expect, it } from 'vitest';
import { calm } from '../../test/support/metered-samples.js';
import { manualClock } from '../core/clock.js';
import { RateLimiter, type RateLimits, WAITING_CALLS } from './rate-limit.js';
import { NO_USAGE, type Usage } from './usage.js';

const small = { body_bytes: 40, max_output_tokens: 10 };

function limited(limits: Partial<RateLimits>) {
  const clock = manualClock();
  const limiter = new RateLimiter({ requests_per_minute: null, tokens_per_minute: null, ...limits }, clock);
  const beganMs: number[] = [];
  const call = (size = small, usage: Usage | null = null, signal = calm()) =>
    limiter.pass(size, signal, async () => {
      beganMs.push(clock.monotonicMs());
      return { usage };
    });
  return { call, beganMs, clock, limiter };
}

describe('PR-2 rate limits', () => {
  it('PR-2 no minute holds more requests than the limit, and they begin in the order in which they came', async () => {
    const { beganMs, limiter, clock } = limited({ requests_per_minute: 3 });
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        limiter.pass(small, calm(), async () => {
          order.push(index);
          beganMs.push(clock.monotonicMs());
          return { usage: null };
        }),
      ),
    );
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(beganMs).toEqual([0, 0, 0, 60_000, 60_000, 60_000, 120_000, 120_000]);
  });

  it('PR-2 tokens count by the body and the output limit until the usage is known, and then by it', async () => {
    const estimated = limited({ tokens_per_minute: 40 });
    for (let index = 0; index < 3; index += 1) await estimated.call();
    expect(estimated.beganMs).toEqual([0, 0, 60_000]);
    const known = limited({ tokens_per_minute: 40 });
    for (let index = 0; index < 3; index += 1) await known.call(small, { ...NO_USAGE, input_uncached: 4, output: 1 });
    expect(known.beganMs).toEqual([0, 0, 0]);
  });

  it('PR-2 a call that is above the limit alone is refused, unbilled', async () => {
    const { call, beganMs } = limited({ tokens_per_minute: 19 });
    await expect(call()).rejects.toMatchObject({ reason: 'rate-limited', billing: 'not-billed' });
    expect(beganMs).toEqual([]);
  });

  it('PR-2 the queue is bounded', async () => {
    const { limiter } = limited({ requests_per_minute: 1 });
    const stop = new AbortController();
    const waiting = Array.from({ length: WAITING_CALLS }, () =>
      limiter.pass(small, stop.signal, async () => ({ usage: null })).catch(() => null),
    );
    await expect(limiter.pass(small, stop.signal, async () => ({ usage: null }))).rejects.toMatchObject({
      reason: 'rate-limited',
    });
    stop.abort();
    await Promise.all(waiting);
  });

  it('CL-3 a call that waits is given up when the run is interrupted; those behind it go on', async () => {
    const clock = { ...manualClock(), sleep: (_ms: number, signal?: AbortSignal) => untilAborted(signal) };
    const limiter = new RateLimiter({ requests_per_minute: 1, tokens_per_minute: null }, clock);
    const call = async () => ({ usage: null });
    await limiter.pass(small, calm(), call);
    const stop = new AbortController();
    const first = limiter.pass(small, stop.signal, call);
    const second = limiter.pass(small, stop.signal, call);
    stop.abort();
    await expect(first).rejects.toMatchObject({ kind: 'interrupted' });
    await expect(second).rejects.toMatchObject({ kind: 'interrupted' });
    const other = new RateLimiter({ requests_per_minute: 1, tokens_per_minute: null }, manualClock());
    await other.pass(small, calm(), call);
    await expect(other.pass(small, AbortSignal.abort(), call)).rejects.toMatchObject({ kind: 'interrupted' });
    await expect(other.pass(small, calm(), call)).resolves.toEqual({ usage: null });
  });

  it('PR-2 a call that fails has had its turn', async () => {
    const { limiter, beganMs, call } = limited({ requests_per_minute: 1 });
    await expect(limiter.pass(small, calm(), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await call();
    expect(beganMs).toEqual([60_000]);
  });
});

function untilAborted(signal?: AbortSignal): Promise<void> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
