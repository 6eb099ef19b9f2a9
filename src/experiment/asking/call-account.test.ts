import { describe, expect, it } from 'vitest';
import type { MeteredCall } from '../../provider/metered.js';
import type { Usage } from '../../provider/usage.js';
import { jsonAmount, sumKnown } from '../summary/amounts.js';
import { CallAccount } from './call-account.js';

const usage: Usage = { input_uncached: 10, cache_read: 2, cache_write: 1, output: 5, reasoning: 3 };

function call(changes: Partial<MeteredCall> = {}): MeteredCall {
  return {
    attribution: { arm: 'bm25', stage: 'reader', fixture: 'harbour', unit: 'q1' },
    is_send: true,
    usage,
    reserved_nano_usd: 100n,
    actual_nano_usd: 40n,
    attributed_nano_usd: 40n,
    outcome: 'settled',
    latency_ms: 7,
    reported_model: 'model-1',
    ...changes,
  };
}

function account(...calls: MeteredCall[]): CallAccount {
  const made = new CallAccount();
  for (const one of calls) made.add(one);
  return made;
}

describe('OB-2, OB-3 the account of a stage', () => {
  it('OB-3 the actual cost is what was settled; a held reservation is uncertain, and neither paid nor free', () => {
    const held = call({ outcome: 'held', usage: null, actual_nano_usd: null, attributed_nano_usd: null });
    const both = account(call(), held);
    expect(both.actual_nano_usd).toBe(40n);
    expect(both.uncertain_nano_usd).toBe(100n);
    expect(both.sends).toBe(2);
  });

  it('OB-2 one unpriced call makes the attributed cost null, never 0; so does one unknown usage', () => {
    const unpriced = account(call(), call({ attributed_nano_usd: null }));
    expect(unpriced.attributed_nano_usd).toBeNull();
    expect(account(call(), call()).attributed_nano_usd).toBe(80n);
    expect(account(call(), call({ usage: null })).usage).toBeNull();
    expect(account(call(), call()).usage).toMatchObject({ input_uncached: 20, output: 10, reasoning: 6 });
  });

  it('LG-12 an in-process call is no send, nor is a released one; its tokens are no sent ones', () => {
    const made = account(
      call({ is_send: false, actual_nano_usd: 0n }),
      call({ outcome: 'released', is_send: true, actual_nano_usd: 0n }),
    );
    expect(made.sends).toBe(0);
    expect(account(call({ is_send: false })).sent_usage).toMatchObject({ output: 0 });
    expect(account(call()).sent_usage).toMatchObject({ output: 5 });
  });

  it('OB-2 counts from a mark', () => {
    const made = account(call());
    const mark = made.mark();
    expect(made.since(mark)).toMatchObject({ calls: 0, attributed_nano_usd: 0n });
    made.add(call({ attributed_nano_usd: 3n }));
    expect(made.since(mark)).toMatchObject({ calls: 1, usage, attributed_nano_usd: 3n });
  });

  it('PR-4 names each reported model once, in order, and adds the latencies', () => {
    const made = account(call(), call({ reported_model: 'model-2' }), call(), call({ reported_model: null }));
    expect(made.reported_models).toEqual(['model-1', 'model-2']);
    expect(made.latency_ms).toBe(28);
  });
});

describe('OB-2 amounts', () => {
  it('OB-2 an unknown part makes the sum unknown; nothing at all sums to 0', () => {
    expect(sumKnown([1n, null, 2n])).toBeNull();
    expect(sumKnown([1n, 2n])).toBe(3n);
    expect(sumKnown([])).toBe(0n);
  });

  it('LG-4 an amount that a JSON integer cannot hold exactly is refused', () => {
    expect(jsonAmount(9_007_199_254_740_991n)).toBe(Number.MAX_SAFE_INTEGER);
    expect(() => jsonAmount(9_007_199_254_740_992n)).toThrow(/do not fit/);
  });
});
