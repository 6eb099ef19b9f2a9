import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { manualClock } from '../../src/core/clock.js';
import { openFileLedger } from '../../src/ledger/file-ledger.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import { ceilingNanoUsd, parseUsd, perTokenNanoUsd, showUsd } from '../../src/ledger/money.js';
import { readLedger } from '../../src/ledger/read-ledger.js';
import { ProviderFailure } from '../../src/provider/completion.js';
import { meterCompletions } from '../../src/provider/metered.js';
import { costNanoUsd, worstCaseNanoUsd } from '../../src/provider/prices.js';
import { type FileLedgerBench, fileLedgerBench, readerCall, sendOf } from '../support/ledger-bench.js';
import {
  adapterOf,
  calm,
  completionOf,
  meterOf,
  requestOf,
  roundPrice,
  usageOf,
  WORST_CASE,
} from '../support/metered-samples.js';

// Faults that other projects had with money: KNOWN-FAULTS, R-25 to R-33.
let bench: FileLedgerBench;
let ledger: Ledger;
beforeEach(async () => {
  bench = await fileLedgerBench();
  ledger = await bench.create(100_000n);
});
afterEach(async () => bench.dispose());

describe('R-25 check, then spend', () => {
  it('R-25 forty parallel calls on a budget for three send three, and the bill stays within the limit', async () => {
    let bill = 0n;
    const { provider } = meterOf(ledger, async () => {
      // The server charges the most that the call admits.
      bill += WORST_CASE;
      await Promise.resolve();
      return completionOf(usageOf({ input_uncached: 100, output: 20 }));
    });
    const outcomes = await Promise.allSettled(Array.from({ length: 40 }, () => provider.complete(requestOf(), calm())));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(bill).toBe(90_000n);
    expect(ledger.totals()).toMatchObject({ spent_nano_usd: bill, held_nano_usd: 0n, breached: false });
  });

  it('R-25 two openings of one ledger cannot each pass a check of their own', async () => {
    const opening = openFileLedger({
      path: bench.path,
      mode: 'resume',
      limit: 100_000n,
      run: 'run-1',
      clock: manualClock(),
    });
    await expect(opening).rejects.toMatchObject({ code: 'LEDGER_IN_USE' });
  });
});

describe('R-26 a model without a price', () => {
  it('R-26 cannot be sent to; the same adapter with a price can', async () => {
    const adapter = adapterOf(async () => completionOf(usageOf({ input_uncached: 1, output: 1 })));
    const options = { adapter, ledger, attribution: () => readerCall, overheadTokens: 0, clock: manualClock() };
    expect(() => meterCompletions({ ...options, price: null })).toThrow(
      expect.objectContaining({ code: 'PRICE_UNKNOWN' }),
    );
    await meterCompletions({ ...options, price: roundPrice }).complete(requestOf(), calm());
    expect(ledger.totals()).toMatchObject({ spent_nano_usd: 1_100n });
  });
});

describe('R-27 holds that leak, refunds of what was billed', () => {
  it('R-27 a refused call gives its hold back; a cancelled one in flight keeps all of it, for good', async () => {
    const refused = meterOf(ledger, async () => {
      throw new ProviderFailure('rate-limited', '429', { billing: 'not-billed', status: 429 });
    });
    for (let call = 0; call < 20; call += 1)
      await expect(refused.provider.complete(requestOf(), calm())).rejects.toThrow('429');
    expect(ledger.totals()).toMatchObject({ held_nano_usd: 0n, spent_nano_usd: 0n });

    const controller = new AbortController();
    const cancelled = meterOf(ledger, async (signal) => {
      controller.abort();
      throw signal.reason;
    });
    await expect(cancelled.provider.complete(requestOf(), controller.signal)).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect((await bench.reopen(100_000n)).totals()).toMatchObject({
      held_nano_usd: WORST_CASE,
      uncertain_nano_usd: WORST_CASE,
    });
  });
});

describe('R-28 parts that are counted twice', () => {
  it('R-28 cached input is not added on top of input, nor reasoning on top of output', () => {
    // 1,000 input tokens, 900 of them cached; 50 output tokens, 40 of them reasoning: 100 x 100 + 900 x 10 + 50 x 1,000.
    expect(costNanoUsd(roundPrice, usageOf({ input_uncached: 100, cache_read: 900, output: 50, reasoning: 40 }))).toBe(
      69_000n,
    );
    expect(costNanoUsd(roundPrice, usageOf({ input_uncached: 100, cache_read: 900, output: 50 }))).toBe(69_000n);
  });
});

describe('R-29 replayed responses billed as live', () => {
  it('R-29 a call that sends nothing has an attributed cost, and no actual one', async () => {
    const send = async (): Promise<ReturnType<typeof completionOf>> =>
      completionOf(usageOf({ input_uncached: 1, output: 1 }));
    const replayed = meterOf(ledger, send, { leavesProcess: false });
    await replayed.provider.complete(requestOf(), calm());
    expect(replayed.calls).toMatchObject([{ is_send: false, actual_nano_usd: 0n, attributed_nano_usd: 1_100n }]);
    expect(await bench.lines()).toHaveLength(0);
    await meterOf(ledger, send).provider.complete(requestOf(), calm());
    expect(await bench.lines()).toHaveLength(2);
  });
});

describe('R-30 floating-point noise', () => {
  it('R-30 a tenth and two tenths are three tenths, and a tiny cost is not nothing', () => {
    expect(0.1 + 0.2).not.toBe(0.3);
    expect(parseUsd('0.1') + parseUsd('0.2')).toBe(parseUsd('0.3'));
    expect(ceilingNanoUsd([{ tokens: 1n, price: perTokenNanoUsd('0.000001') }])).toBe(1n);
    expect(showUsd(1n)).toBe('0.000000001');
  });

  it('R-30 a thousand calls of 1,000 nano-dollars each add up exactly', () => {
    const price = { ...roundPrice, tiers: [{ ...roundPrice.tiers[0]!, input: '0.001' }] };
    let sum = 0n;
    for (let call = 0; call < 1_000; call += 1) sum += costNanoUsd(price, usageOf({ input_uncached: 1_000 }));
    expect(sum).toBe(1_000_000n);
  });
});

describe('R-31 usage that is no number, or missing', () => {
  it.each([
    null,
    usageOf({ input_uncached: Number.NaN, output: 1 }),
    usageOf({ input_uncached: 1, output: Number.POSITIVE_INFINITY }),
  ])('R-31 %j costs its whole reservation, never 0 and never NaN', async (usage) => {
    const { provider } = meterOf(ledger, async () => completionOf(usage));
    await provider.complete(requestOf(), calm());
    expect(ledger.totals()).toMatchObject({ uncertain_nano_usd: WORST_CASE, spent_nano_usd: 0n });
    expect(await readFile(bench.path, 'utf8')).not.toMatch(/NaN|Infinity/);
  });
});

describe('R-32 spend that is lost on shutdown', () => {
  it('R-32 closing waits for what is being written; what was settled is on the disk before its call returns', async () => {
    const settled = ledger.settle(await ledger.reserve(sendOf(500n)), 321n);
    await ledger.close();
    expect((await readLedger(bench.path)).totals.spent_nano_usd).toBe(321n);
    await settled;
  });
});

describe('R-33 a hold below the tier that the request reaches', () => {
  it('R-33 a body that may reach the dear tier is reserved at it', async () => {
    const first = roundPrice.tiers[0]!;
    const tiered = {
      ...roundPrice,
      tiers: [first, { ...first, above_input_tokens: 99, input: '0.20', output: '2.00' }],
    };
    // 90 bytes and 10 tokens of overhead: 100 input tokens, above 99.
    expect(worstCaseNanoUsd(tiered, 90, 10, 20)).toBe(60_000n);
    const { provider } = meterOf(ledger, async () => completionOf(usageOf({ input_uncached: 100, output: 20 })), {
      price: tiered,
    });
    await provider.complete(requestOf(), calm());
    expect(ledger.totals()).toMatchObject({ spent_nano_usd: 60_000n, breached: false });
  });
});
