import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FileLedgerBench, fileLedgerBench, readerCall } from '../../test/support/ledger-bench.js';
import {
  adapterOf,
  BODY,
  calm,
  completionOf,
  meterOf,
  requestOf,
  roundPrice,
  usageOf,
  WORST_CASE,
} from '../../test/support/metered-samples.js';
import { manualClock } from '../core/clock.js';
import { databaseUnavailable } from '../core/errors.js';
import type { Ledger } from '../ledger/ledger.js';
import { type Billing, ProviderFailure, type ProviderFailureReason } from './completion.js';
import type { EmbeddingAdapter } from './embedding.js';
import { meterCompletions, meterEmbeddings } from './metered.js';

let bench: FileLedgerBench;
let ledger: Ledger;
beforeEach(async () => {
  bench = await fileLedgerBench();
  ledger = await bench.create(100_000n);
});
afterEach(async () => bench.dispose());

const known = usageOf({ input_uncached: 40, cache_read: 10, output: 5 });
/** 40 x 100 + 10 x 10 + 5 x 1,000 */
const KNOWN_COST = 9_100n;
const kinds = async (): Promise<string[]> => (await bench.lines()).map(({ kind }) => kind);
const failing = (reason: ProviderFailureReason, billing: Billing, status?: number) => async (): Promise<never> => {
  throw new ProviderFailure(reason, 'failed', {
    billing,
    ...(status === undefined ? {} : { status }),
  });
};

describe('a call that succeeds', () => {
  it('LG-2 is reserved durably, at its worst case and under its body, before it is sent', async () => {
    let atSend: unknown;
    const { provider } = meterOf(ledger, async () => {
      atSend = (await bench.lines()).at(-1);
      return completionOf(known);
    });
    await provider.complete(requestOf(), calm());
    expect(atSend).toMatchObject({ kind: 'reserve', amount_nano_usd: Number(WORST_CASE), body: BODY, ...readerCall });
  });

  it('LG-4 settles to its cost, and is reported with it', async () => {
    const clock = manualClock();
    const { provider, calls } = meterOf(
      ledger,
      async () => {
        clock.advance(250);
        return completionOf(known);
      },
      { clock },
    );
    expect(await provider.complete(requestOf(), calm())).toEqual(completionOf(known));
    expect(ledger.totals()).toMatchObject({ spent_nano_usd: KNOWN_COST, held_nano_usd: 0n, sends: 1 });
    expect(calls).toEqual([
      {
        attribution: readerCall,
        is_send: true,
        usage: known,
        reserved_nano_usd: WORST_CASE,
        actual_nano_usd: KNOWN_COST,
        attributed_nano_usd: KNOWN_COST,
        outcome: 'settled',
        latency_ms: 250,
        reported_model: 'm-2026',
      },
    ]);
  });

  it.each([
    ['missing', null],
    ['NaN', usageOf({ input_uncached: Number.NaN, output: 1 })],
    ['negative', usageOf({ input_uncached: 5, output: -1 })],
    ['zero with content', usageOf({ input_uncached: 5 })],
    ['without input', usageOf({ output: 5 })],
    ['more reasoning than output', usageOf({ input_uncached: 5, output: 5, reasoning: 6 })],
    ['too large to be booked', usageOf({ input_uncached: Number.MAX_SAFE_INTEGER, output: 1 })],
  ])('LG-4 R-31 keeps its whole reservation where its usage is %s', async (_, usage) => {
    const { provider, calls } = meterOf(ledger, async () => completionOf(usage));
    await provider.complete(requestOf(), calm());
    expect(ledger.totals()).toMatchObject({ spent_nano_usd: 0n, uncertain_nano_usd: WORST_CASE, breached: false });
    expect(calls).toMatchObject([{ outcome: 'held', actual_nano_usd: null, is_send: true }]);
  });

  it('LG-9 with a cost above its reservation is booked in full, and nothing more is sent', async () => {
    let sends = 0;
    const { provider } = meterOf(ledger, async () => {
      sends += 1;
      return completionOf(usageOf({ input_uncached: 1, output: 60 }));
    });
    await provider.complete(requestOf(), calm());
    expect(ledger.totals()).toMatchObject({ spent_nano_usd: 60_100n, breached: true });
    await expect(provider.complete(requestOf(), calm())).rejects.toMatchObject({ code: 'BUDGET_BREACHED' });
    expect(sends).toBe(1);
  });
});

describe('a call that fails', () => {
  it.each<[string, ProviderFailureReason, Billing, number | undefined, string, number]>([
    ['refused with 429', 'rate-limited', 'not-billed', 429, 'release', 1],
    ['refused with 401', 'authentication', 'not-billed', 401, 'release', 1],
    ['never connected', 'unreachable', 'not-billed', undefined, 'release', 0],
    ['timed out', 'timeout', 'unknown', undefined, 'hold', 1],
    ['cut', 'cut-connection', 'unknown', undefined, 'hold', 1],
    ['cancelled after the send', 'cancelled', 'unknown', undefined, 'hold', 1],
    ['failed with 500', 'server-error', 'unknown', 500, 'hold', 1],
    ['said to be unbilled by a 408', 'timeout', 'not-billed', 408, 'hold', 1],
    ['said to be unbilled by a 502', 'server-error', 'not-billed', 502, 'hold', 1],
    ['malformed, with its usage', 'malformed-response', { usage: known, reported_model: 'm' }, 200, 'settle', 1],
    [
      'malformed, with impossible usage',
      'malformed-response',
      { usage: usageOf({}), reported_model: null },
      200,
      'hold',
      1,
    ],
  ])('LG-4 LG-5 %s', async (_, reason, billing, status, kind, sends) => {
    const { provider, calls } = meterOf(ledger, failing(reason, billing, status));
    await expect(provider.complete(requestOf(), calm())).rejects.toMatchObject({ kind: 'provider', reason });
    expect(await kinds()).toEqual(['reserve', kind]);
    expect(ledger.totals()).toMatchObject({
      spent_nano_usd: kind === 'settle' ? KNOWN_COST : 0n,
      held_nano_usd: kind === 'hold' ? WORST_CASE : 0n,
      sends,
    });
    const actual = { settle: KNOWN_COST, release: 0n, hold: null }[kind];
    expect(calls).toMatchObject([{ is_send: sends === 1, actual_nano_usd: actual }]);
  });

  it('LG-4 OB-2 a usage too large to be billed by is held, and attributed to nobody', async () => {
    const absurd = usageOf({ input_uncached: 9_007_199_254_740_000, output: 10 });
    const { provider, calls } = meterOf(ledger, async () => completionOf(absurd));
    await provider.complete(requestOf(), calm());
    expect(calls).toMatchObject([{ outcome: 'held', usage: null, actual_nano_usd: null, attributed_nano_usd: null }]);
  });

  it('LG-4 R-27 with an error of no known kind holds, and the error is passed on', async () => {
    const error = new TypeError('bug');
    const { provider } = meterOf(ledger, async () => {
      throw error;
    });
    await expect(provider.complete(requestOf(), calm())).rejects.toBe(error);
    expect(ledger.totals()).toMatchObject({ uncertain_nano_usd: WORST_CASE });
  });

  it('RS-4 leaves nothing of its message in the journal', async () => {
    const { provider } = meterOf(ledger, async () => {
      throw new ProviderFailure('server-error', 'Bearer sk-planted', { billing: 'unknown' });
    });
    await expect(provider.complete(requestOf(), calm())).rejects.toThrow('sk-planted');
    expect((await bench.lines()).at(-1)).toMatchObject({ kind: 'hold', reason: 'server-error' });
    expect(JSON.stringify(await bench.lines())).not.toContain('sk-planted');
  });
});

describe('a call whose reservation has a lease', () => {
  const leased = (lapsed: AbortSignal): Ledger => {
    const reserve: Ledger['reserve'] = async (request) => ({ ...(await ledger.reserve(request)), lapsed });
    // A ledger with leases holds what is resolved too late.
    return Object.assign(Object.create(ledger) as Ledger, {
      reserve,
      settle: (...[one, cost]: Parameters<Ledger['settle']>) =>
        lapsed.aborted ? ledger.hold(one, 'lease-lapsed') : ledger.settle(one, cost),
      release: (...[one, reason, sent]: Parameters<Ledger['release']>) =>
        lapsed.aborted ? ledger.hold(one, 'lease-lapsed') : ledger.release(one, reason, sent),
      hold: (...args: Parameters<Ledger['hold']>) => ledger.hold(...args),
    });
  };

  it('SQ-8 ends with the lease, and is held', async () => {
    const lease = new AbortController();
    const { provider, calls } = meterOf(leased(lease.signal), async (signal) => {
      lease.abort();
      expect(signal.aborted).toBe(true);
      return failing('cancelled', 'unknown')();
    });
    await expect(provider.complete(requestOf(), calm())).rejects.toMatchObject({ reason: 'cancelled' });
    expect(await kinds()).toEqual(['reserve', 'hold']);
    expect(calls).toMatchObject([{ outcome: 'held', actual_nano_usd: null }]);
  });

  it('SQ-8 is not sent where the lease is over already', async () => {
    const { provider } = meterOf(leased(AbortSignal.abort()), () => expect.fail('sent'));
    await expect(provider.complete(requestOf(), calm())).rejects.toMatchObject({ reason: 'cancelled' });
  });

  it('SQ-10 gives nobody an answer that came when the lease was over, whatever it cost', async () => {
    const lease = new AbortController();
    const { provider, calls } = meterOf(leased(lease.signal), async () => {
      lease.abort();
      return completionOf(known);
    });
    await expect(provider.complete(requestOf(), calm())).rejects.toMatchObject({
      kind: 'provider',
      billing: 'unknown',
    });
    expect(await kinds()).toEqual(['reserve', 'hold']);
    expect(calls).toMatchObject([{ outcome: 'held', usage: null, actual_nano_usd: null }]);
  });
});

describe('a call that is cancelled', () => {
  it('LG-5 before its reservation leaves no line and sends nothing', async () => {
    const { provider, calls } = meterOf(ledger, async () => completionOf(known));
    await expect(provider.complete(requestOf(), AbortSignal.abort())).rejects.toMatchObject({ reason: 'cancelled' });
    expect([await kinds(), calls]).toEqual([[], []]);
  });

  it('LG-5 between reservation and send is released, and is no send', async () => {
    const controller = new AbortController();
    let sent = false;
    const { provider, calls } = meterOf(ledger, async () => {
      sent = true;
      return completionOf(known);
    });
    const call = provider.complete(requestOf(), controller.signal);
    controller.abort();
    await expect(call).rejects.toMatchObject({ reason: 'cancelled' });
    expect(sent).toBe(false);
    expect(await kinds()).toEqual(['reserve', 'release']);
    expect(ledger.totals()).toMatchObject({ held_nano_usd: 0n, sends: 0 });
    expect(calls).toMatchObject([{ is_send: false, outcome: 'released', actual_nano_usd: 0n }]);
  });
});

describe('a call that is not admitted', () => {
  it('LG-3 is not sent', async () => {
    let sends = 0;
    const { provider } = meterOf(ledger, async () => {
      sends += 1;
      return completionOf(null);
    });
    for (let call = 0; call < 3; call += 1) await provider.complete(requestOf(), calm());
    await expect(provider.complete(requestOf(), calm())).rejects.toMatchObject({
      code: 'BUDGET_EXHAUSTED',
      exitCode: 4,
    });
    expect(sends).toBe(3);
  });

  it('RS-3 nor is one whose reservation could not be written', async () => {
    let sends = 0;
    const send = async (): Promise<ReturnType<typeof completionOf>> => {
      sends += 1;
      return completionOf(known);
    };
    const { provider } = meterOf(ledger, send, { attribution: { ...readerCall, unit: '\ud800' } });
    await expect(provider.complete(requestOf(), calm())).rejects.toMatchObject({ kind: 'internal' });
    expect(sends).toBe(0);
  });

  it('RS-3 CL-2 an outcome that a lost database cannot book is of kind database, no fault of this program', async () => {
    const gone = databaseUnavailable('POSTGRES_LOST', 'the connection was lost', { remedy: 'raise it' });
    const { provider } = meterOf(ledger, async () => completionOf(known));
    ledger.settle = () => Promise.reject(gone);
    await expect(provider.complete(requestOf(), calm())).rejects.toMatchObject({
      code: 'LEDGER_UNRESOLVED',
      kind: 'database',
    });
  });

  it('LG-4 a failure of the ledger after the send names both failures', async () => {
    const { provider } = meterOf(ledger, async () => {
      await ledger.close();
      throw new Error('the line was cut');
    });
    await expect(provider.complete(requestOf(), calm())).rejects.toMatchObject({
      code: 'LEDGER_UNRESOLVED',
      message: expect.stringMatching(/is closed; the call itself failed: the line was cut/),
    });
  });
});

describe('prices', () => {
  it('R-26 LG-8 a provider that sends cannot be made without one', () => {
    const options = { ledger, price: null, attribution: () => readerCall, overheadTokens: 0, clock: manualClock() };
    const adapter = adapterOf(async () => completionOf(known));
    expect(() => meterCompletions({ ...options, adapter })).toThrow(
      expect.objectContaining({ code: 'PRICE_UNKNOWN', exitCode: 2 }),
    );
    expect(() => meterEmbeddings({ ...options, adapter: embedder(true) })).toThrow(
      expect.objectContaining({ code: 'PRICE_UNKNOWN' }),
    );
  });

  it('R-26 a call of another model than the price is of is refused before it is reserved', async () => {
    const { provider } = meterOf(ledger, async () => completionOf(known));
    await expect(provider.complete(requestOf('dearer'), calm())).rejects.toMatchObject({
      code: 'PRICE_OF_OTHER_MODEL',
    });
    expect(await kinds()).toEqual([]);
  });
});

describe('in-process kinds', () => {
  it('LG-7 OB-2 cost nothing, leave no line, and are attributed a cost only where priced', async () => {
    const send = async (): Promise<ReturnType<typeof completionOf>> => completionOf(known);
    const free = meterOf(ledger, send, { leavesProcess: false, price: null });
    const priced = meterOf(ledger, send, { leavesProcess: false });
    await free.provider.complete(requestOf(), calm());
    await priced.provider.complete(requestOf(), calm());
    const common = { is_send: false, usage: known, reserved_nano_usd: 0n, actual_nano_usd: 0n, outcome: 'settled' };
    expect(free.calls).toMatchObject([{ ...common, attributed_nano_usd: null }]);
    expect(priced.calls).toMatchObject([{ ...common, attributed_nano_usd: KNOWN_COST }]);
    expect(await kinds()).toEqual([]);
    expect(ledger.totals()).toMatchObject({ spent_nano_usd: 0n, sends: 0 });
  });

  it('LG-5 that fail are released, whatever they throw', async () => {
    const { provider, calls } = meterOf(ledger, failing('missing-completion', 'unknown'), {
      leavesProcess: false,
      price: null,
    });
    await expect(provider.complete(requestOf(), calm())).rejects.toMatchObject({ reason: 'missing-completion' });
    expect(calls).toMatchObject([{ is_send: false, outcome: 'released', actual_nano_usd: 0n }]);
  });
});

function embedder(leavesProcess: boolean): EmbeddingAdapter {
  return {
    leaves_process: leavesProcess,
    tuple: { kind: 'openai', endpoint: 'e', model: 'm', dimensions: 2 },
    prepare: (texts) => ({
      body_bytes: 50,
      body_digest: BODY,
      max_output_tokens: 0,
      send: async () => ({
        vectors: texts.map(() => Float32Array.of(0, 1)),
        reported_model: 'm',
        usage: usageOf({ input_uncached: 7 }),
      }),
    }),
  };
}

describe('meterEmbeddings', () => {
  it.each<[string, readonly Float32Array[]]>([
    ['too few vectors', [Float32Array.of(0, 1)]],
    ['another length', [Float32Array.of(0, 1), Float32Array.of(1)]],
    ['NaN', [Float32Array.of(0, 1), Float32Array.of(Number.NaN, 1)]],
    ['a zero vector', [Float32Array.of(0, 1), Float32Array.of(0, 0)]],
  ])('SQ-10 an answer with %s is malformed, and its usage lowers no charge', async (_what, vectors) => {
    const adapter = embedder(true);
    const provider = meterEmbeddings({
      adapter: {
        ...adapter,
        prepare: (texts) => {
          const prepared = adapter.prepare(texts);
          return { ...prepared, send: async (signal) => ({ ...(await prepared.send(signal)), vectors }) };
        },
      },
      ledger,
      price: roundPrice,
      attribution: () => ({ ...readerCall, stage: 'query' }),
      overheadTokens: 10,
      clock: manualClock(),
    });
    await expect(provider.embed(['a', 'b'], calm())).rejects.toMatchObject({ reason: 'malformed-response' });
    expect(await bench.lines()).toMatchObject([
      { kind: 'reserve', amount_nano_usd: 6_000 },
      { kind: 'hold', reason: 'malformed-response' },
    ]);
  });

  it('LG-1 reserves and settles one call for its texts', async () => {
    const provider = meterEmbeddings({
      adapter: embedder(true),
      ledger,
      price: roundPrice,
      attribution: (texts) => ({ ...readerCall, stage: 'index', unit: `${texts.length} texts` }),
      overheadTokens: 10,
      clock: manualClock(),
    });
    const { vectors } = await provider.embed(['a', 'b'], calm());
    expect(vectors).toHaveLength(2);
    expect(await bench.lines()).toMatchObject([
      { kind: 'reserve', stage: 'index', unit: '2 texts', amount_nano_usd: 6_000 },
      { kind: 'settle', cost_nano_usd: 700 },
    ]);
  });
});
