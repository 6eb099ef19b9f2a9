import { describe, expect, it, vi } from 'vitest';
import { calm, completionOf, meterOf, requestOf, usageOf } from '../../test/support/metered-samples.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { manualClock } from '../core/clock.js';
import { openFileLedger } from '../ledger/file-ledger.js';
import type { Ledger } from '../ledger/ledger.js';
import { type CompletionProvider, ProviderFailure, type ProviderFailureReason } from './completion.js';
import { DEFAULT_RETRY_RULE, type RetryRule, retryWaitMs } from './retry-rule.js';
import { retryCompletions } from './retrying.js';

const failureOf = (reason: ProviderFailureReason, retry_after_ms: number | null = null, status: number | null = null) =>
  new ProviderFailure(reason, reason, {
    billing: status === 429 ? 'not-billed' : 'unknown',
    retry_after_ms,
    ...(status === null ? {} : { status }),
  });

/** A provider that fails with these, in turn, and then answers. */
function failing(...failures: unknown[]): { provider: CompletionProvider; calls: () => number } {
  let calls = 0;
  return {
    calls: () => calls,
    provider: {
      complete: async () => {
        calls += 1;
        const failure = failures.shift();
        if (failure !== undefined) throw failure;
        return completionOf(usageOf({ input_uncached: 1, output: 1 }));
      },
    },
  };
}

function retried(provider: CompletionProvider, rule: Partial<RetryRule> = {}, seed = 's') {
  const clock = manualClock();
  const sleep = vi.spyOn(clock, 'sleep');
  const waits = () => sleep.mock.calls.map(([ms]) => ms);
  return {
    provider: retryCompletions(provider, { rule: { ...DEFAULT_RETRY_RULE, ...rule }, clock, seed }),
    waits,
    clock,
  };
}

describe('PR-2 retries', () => {
  it('PR-2 a failure that the rule names is tried again, with a pause that doubles, half of it drawn by the seed', async () => {
    const failures = ['server-error', 'timeout', 'cut-connection'].map((reason) =>
      failureOf(reason as ProviderFailureReason),
    );
    const inner = failing(...failures);
    const { provider, waits } = retried(inner.provider, { attempts: 4 });
    await expect(provider.complete(requestOf(), calm())).resolves.toMatchObject({ finish: 'stop' });
    expect(inner.calls()).toBe(4);
    for (const [index, ms] of waits().entries()) {
      expect(ms).toBeGreaterThanOrEqual(250 * 2 ** index);
      expect(ms).toBeLessThanOrEqual(500 * 2 ** index);
    }
    const again = retried(failing(...failures).provider, { attempts: 4 });
    await again.provider.complete(requestOf(), calm());
    expect(again.waits()).toEqual(waits());
    const otherwise = retried(failing(...failures).provider, { attempts: 4 }, 'another');
    await otherwise.provider.complete(requestOf(), calm());
    expect(otherwise.waits()).not.toEqual(waits());
  });

  it('PR-2 attempts are bounded, and the last failure is thrown', async () => {
    const inner = failing(
      failureOf('server-error'),
      failureOf('server-error'),
      failureOf('timeout'),
      failureOf('timeout'),
    );
    await expect(retried(inner.provider).provider.complete(requestOf(), calm())).rejects.toMatchObject({
      reason: 'timeout',
    });
    expect(inner.calls()).toBe(3);
  });

  it.each<ProviderFailureReason>([
    'authentication',
    'invalid-request',
    'malformed-response',
    'empty-response',
    'oversized-response',
    'cancelled',
  ])('PR-2 %s is never tried again', async (reason) => {
    const inner = failing(failureOf(reason));
    await expect(retried(inner.provider).provider.complete(requestOf(), calm())).rejects.toMatchObject({ reason });
    expect(inner.calls()).toBe(1);
  });

  it('PR-2 what the rule leaves out is not tried again', async () => {
    const inner = failing(failureOf('timeout'));
    const { provider } = retried(inner.provider, { on: ['rate-limited'] });
    await expect(provider.complete(requestOf(), calm())).rejects.toMatchObject({ reason: 'timeout' });
    expect(inner.calls()).toBe(1);
  });

  it('PR-2 Retry-After is waited for, and a longer one than the bound ends the call', async () => {
    const patient = failing(failureOf('rate-limited', 7_000, 429));
    const { provider, waits } = retried(patient.provider);
    await provider.complete(requestOf(), calm());
    expect(waits()).toEqual([7_000]);
    const inner = failing(failureOf('rate-limited', 60_001, 429));
    await expect(retried(inner.provider).provider.complete(requestOf(), calm())).rejects.toMatchObject({ status: 429 });
    expect(inner.calls()).toBe(1);
  });

  it('PR-2 a pause ends at the bound', () => {
    const rule = { ...DEFAULT_RETRY_RULE, max_wait_ms: 900 };
    expect(retryWaitMs(rule, failureOf('timeout'), 30, 1)).toBe(900);
    expect(retryWaitMs(rule, failureOf('timeout'), 30, 0)).toBe(450);
  });

  it('CL-3 an interrupted run does not begin another try', async () => {
    const stop = new AbortController();
    let calls = 0;
    const inner: CompletionProvider = {
      complete: async () => {
        calls += 1;
        stop.abort();
        throw failureOf('server-error');
      },
    };
    await expect(retried(inner).provider.complete(requestOf(), stop.signal)).rejects.toMatchObject({
      kind: 'interrupted',
    });
    expect(calls).toBe(1);
  });
});

describe('LG-7 retries and the ledger', () => {
  const open = async (limit: bigint): Promise<Ledger> =>
    openFileLedger({
      path: `${await temporaryFolder()}/ledger.jsonl`,
      mode: 'create',
      limit,
      clock: manualClock(),
      run: 'r',
    });

  it('LG-4 LG-7 each try is a reservation of its own: what may have been billed stays held, what was refused is released', async () => {
    const ledger = await open(1_000_000n);
    const failures = [failureOf('server-error', null, 500), failureOf('rate-limited', 1, 429)];
    const metered = meterOf(ledger, async () => {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      return completionOf(usageOf({ input_uncached: 10, output: 5 }));
    });
    await retried(metered.provider).provider.complete(requestOf(), calm());
    expect(metered.calls.map(({ outcome }) => outcome)).toEqual(['held', 'released', 'settled']);
    expect(ledger.totals()).toMatchObject({ held_nano_usd: 30_000n, spent_nano_usd: 6_000n, sends: 3 });
    await ledger.close();
  });

  it('LG-3 a try that the budget does not admit is not made, and the call failed as it failed', async () => {
    const ledger = await open(40_000n);
    let sends = 0;
    const metered = meterOf(ledger, async () => {
      sends += 1;
      throw failureOf('server-error', null, 500);
    });
    await expect(retried(metered.provider).provider.complete(requestOf(), calm())).rejects.toMatchObject({
      reason: 'server-error',
    });
    expect(sends).toBe(1);
    // The first try's own refusal is the budget's, as ever.
    await expect(retried(metered.provider).provider.complete(requestOf(), calm())).rejects.toMatchObject({
      kind: 'budget',
    });
    await ledger.close();
  });
});
