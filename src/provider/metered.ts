import type { Clock } from '../core/clock.js';
import { crashPoint } from '../core/crash-points.js';
import { internalFault, invalidInput, kindOf, messageOf, RecallMatrixError } from '../core/errors.js';
import type { Attribution, Ledger, NanoUsd, Reservation } from '../ledger/ledger.js';
import {
  type Completion,
  type CompletionAdapter,
  type CompletionProvider,
  type CompletionRequest,
  type PreparedCall,
  ProviderFailure,
} from './completion.js';
import type { EmbeddingAdapter, EmbeddingProvider, EmbeddingResult } from './embedding.js';
import { type PriceEntry, priceOf, worstCaseNanoUsd } from './prices.js';
import { assertSound } from './sound-vectors.js';
import { type Usage, usageProblem } from './usage.js';

/** What became of one admitted call: what observations and manifests are made from. */
export interface MeteredCall {
  readonly attribution: Attribution;
  /** Whether it left this process. False for in-process kinds, and for a call that was cancelled before its send. */
  readonly is_send: boolean;
  /** Null where none can be trusted. */
  readonly usage: Usage | null;
  readonly reserved_nano_usd: NanoUsd;
  /** What was paid: 0 for a release and for in-process kinds; null where the bill is unknown, and the reservation held. */
  readonly actual_nano_usd: NanoUsd | null;
  /** What the call costs by its price, in-process kinds included; null where unpriced or without usage (OB-2). */
  readonly attributed_nano_usd: NanoUsd | null;
  readonly outcome: 'settled' | 'released' | 'held';
  /** Of the send alone; 0 where there was none. */
  readonly latency_ms: number;
  readonly reported_model: string | null;
}

/** What a meter needs beside its adapter. */
export interface MeterOptions<Request> {
  readonly ledger: Ledger;
  /** The price of the one model that this provider is asked for; null only for kinds that never leave this process. */
  readonly price: PriceEntry | null;
  readonly attribution: (request: Request) => Attribution;
  /** Input tokens that a provider may add to a body (LG-2). */
  readonly overheadTokens: number;
  readonly clock: Clock;
  /** Called once for each admitted call, after its outcome is durable and before the result is returned. It must not throw. */
  readonly onCall?: (call: MeteredCall) => void;
}

/** What the meter must know of a result. */
interface Billed {
  readonly usage: Usage | null;
  readonly hasContent: boolean;
  readonly reported_model: string | null;
}

/**
 * A completion provider that cannot send without a durable reservation (LG-1, LG-2), and resolves each one by LG-4, LG-5 and LG-9.
 *
 * @throws at once, `PRICE_UNKNOWN` (exit 2), where calls leave the process and have no price.
 */
export function meterCompletions(
  options: MeterOptions<CompletionRequest> & { readonly adapter: CompletionAdapter },
): CompletionProvider {
  const meter = new Meter(options, options.adapter.leaves_process);
  return {
    complete: async (request, signal) => {
      meter.assertPriced(request.model.model);
      return meter.call(options.attribution(request), options.adapter.prepare(request), billedCompletion, signal);
    },
  };
}

/** The same for embeddings: `texts` go into one call. */
export function meterEmbeddings(
  options: MeterOptions<readonly string[]> & { readonly adapter: EmbeddingAdapter },
): EmbeddingProvider {
  const { adapter } = options;
  const meter = new Meter(options, adapter.leaves_process);
  meter.assertPriced(adapter.tuple.model);
  return {
    tuple: adapter.tuple,
    embed: async (texts, signal) =>
      meter.call(options.attribution(texts), adapter.prepare(texts), billedEmbedding, signal, (result) =>
        assertSound(result, texts.length, adapter.tuple),
      ),
  };
}

function billedCompletion({ usage, contents, tool_calls, reported_model }: Completion): Billed {
  return { usage, hasContent: tool_calls > 0 || contents.some((content) => content !== ''), reported_model };
}

function billedEmbedding({ usage, reported_model }: EmbeddingResult): Billed {
  return { usage, hasContent: false, reported_model };
}

type Outcome = Omit<MeteredCall, 'attribution' | 'reserved_nano_usd' | 'latency_ms'>;

class Meter {
  readonly #ledger: Ledger;
  readonly #price: PriceEntry | null;
  readonly #overheadTokens: number;
  readonly #clock: Clock;
  readonly #onCall: (call: MeteredCall) => void;
  readonly #leavesProcess: boolean;

  constructor(options: MeterOptions<never>, leavesProcess: boolean) {
    if (leavesProcess && options.price === null) {
      throw invalidInput('PRICE_UNKNOWN', 'a provider that sends has no price for its model', {
        remedy: 'add the model to the price table',
      });
    }
    this.#ledger = options.ledger;
    this.#price = options.price;
    this.#overheadTokens = options.overheadTokens;
    this.#clock = options.clock;
    this.#onCall = options.onCall ?? (() => {});
    this.#leavesProcess = leavesProcess;
  }

  /** A price of another model would make a reservation that bounds nothing. */
  assertPriced(model: string): void {
    if (this.#price === null || this.#price.model === model) return;
    throw internalFault(
      'PRICE_OF_OTHER_MODEL',
      `a call of ${model} would be booked at the price of ${this.#price.model}`,
    );
  }

  async call<Result>(
    attribution: Attribution,
    prepared: PreparedCall<Result>,
    billed: (result: Result) => Billed,
    signal: AbortSignal,
    assertUsable: (result: Result) => void = () => {},
  ): Promise<Result> {
    if (signal.aborted) throw cancelledBeforeSend(signal);
    const reservation = await this.#ledger.reserve({
      amount_nano_usd: this.#worstCase(prepared),
      attribution,
      body: prepared.body_digest,
      is_send: this.#leavesProcess,
    });
    crashPoint('reservation-committed');
    const { lapsed } = reservation;
    const ends = lapsed === undefined ? signal : AbortSignal.any([signal, lapsed]);
    if (ends.aborted) {
      const failure = cancelledBeforeSend(ends);
      this.#report(
        reservation,
        0,
        await this.#booked(reservation, () => this.#release(reservation, 'cancelled', false), failure),
      );
      throw failure;
    }
    const startMs = this.#clock.monotonicMs();
    let result: Result;
    try {
      const sending = prepared.send(ends);
      crashPoint('send-started');
      result = await sending;
      crashPoint('response-received');
      assertUsable(result);
    } catch (failure) {
      const latencyMs = this.#clock.monotonicMs() - startMs;
      this.#report(
        reservation,
        latencyMs,
        await this.#booked(reservation, () => this.#resolveFailure(reservation, failure), failure),
      );
      throw failure;
    }
    const latencyMs = this.#clock.monotonicMs() - startMs;
    this.#report(
      reservation,
      latencyMs,
      await this.#booked(reservation, () => this.#resolveUsage(reservation, billed(result)), null),
    );
    crashPoint('settlement-committed');
    if (lapsed?.aborted === true) throw answeredTooLate(lapsed);
    return result;
  }

  #worstCase({ body_bytes, max_output_tokens }: PreparedCall<unknown>): NanoUsd {
    if (!this.#leavesProcess || this.#price === null) return 0n;
    return worstCaseNanoUsd(this.#price, body_bytes, this.#overheadTokens, max_output_tokens);
  }

  async #resolveUsage(reservation: Reservation, { usage, hasContent, reported_model }: Billed): Promise<Outcome> {
    const problem =
      usage === null ? 'usage-missing' : usageProblem(usage, hasContent) === null ? null : 'usage-impossible';
    const trusted = problem === null ? usage : null;
    const attributed = priceOf(this.#price, trusted);
    const facts = { usage: trusted, reported_model, attributed_nano_usd: attributed };
    if (!this.#leavesProcess) {
      await this.#ledger.settle(reservation, 0n);
      return { ...facts, is_send: false, actual_nano_usd: 0n, outcome: 'settled' };
    }
    if (attributed === null || attributed > BigInt(Number.MAX_SAFE_INTEGER)) {
      await this.#ledger.hold(reservation, problem ?? 'usage-impossible');
      // A usage that is not billed by is not attributed by either.
      return {
        reported_model,
        usage: null,
        attributed_nano_usd: null,
        is_send: true,
        actual_nano_usd: null,
        outcome: 'held',
      };
    }
    await this.#ledger.settle(reservation, attributed);
    return { ...facts, is_send: true, actual_nano_usd: attributed, outcome: 'settled' };
  }

  async #resolveFailure(reservation: Reservation, failure: unknown): Promise<Outcome> {
    if (!this.#leavesProcess) return this.#release(reservation, 'in-process-failure', false);
    if (!(failure instanceof ProviderFailure)) return this.#hold(reservation, 'unexpected-error');
    const { billing, reason, status } = failure;
    if (billing === 'unknown') return this.#hold(reservation, reason);
    if (billing === 'not-billed') {
      return isCertainlyUnbilled(status)
        ? this.#release(reservation, reason, status !== null)
        : this.#hold(reservation, reason);
    }
    return this.#resolveUsage(reservation, {
      usage: billing.usage,
      hasContent: false,
      reported_model: billing.reported_model,
    });
  }

  async #hold(reservation: Reservation, reason: string): Promise<Outcome> {
    await this.#ledger.hold(reservation, reason);
    return HELD;
  }

  async #release(reservation: Reservation, reason: string, sent: boolean): Promise<Outcome> {
    await this.#ledger.release(reservation, reason, sent);
    return {
      is_send: sent,
      usage: null,
      actual_nano_usd: 0n,
      attributed_nano_usd: null,
      outcome: 'released',
      reported_model: null,
    };
  }

  /** Books an outcome: a hold, once the lease is over. Where that fails, the ledger's failure is what counts, and the call's own is not lost. */
  async #booked({ lapsed }: Reservation, book: () => Promise<Outcome>, callFailure: unknown): Promise<Outcome> {
    try {
      const outcome = await book();
      return lapsed?.aborted === true ? HELD : outcome;
    } catch (cause) {
      const also = callFailure === null ? '' : `; the call itself failed: ${messageOf(callFailure)}`;
      throw new RecallMatrixError({
        // A ledger's database that is lost is no fault of this program (RS-3).
        kind: kindOf(cause) === 'database' ? 'database' : 'internal',
        code: 'LEDGER_UNRESOLVED',
        message: `the outcome of a call could not be booked: ${messageOf(cause)}${also}`,
        remedy: 'its whole reservation stays held; mend the cause and resume',
        cause,
      });
    }
  }

  #report({ attribution, amount_nano_usd }: Reservation, latency_ms: number, outcome: Outcome): void {
    this.#onCall({ attribution, reserved_nano_usd: amount_nano_usd, latency_ms, ...outcome });
  }
}

const HELD: Outcome = {
  is_send: true,
  usage: null,
  actual_nano_usd: null,
  attributed_nano_usd: null,
  outcome: 'held',
  reported_model: null,
};

/** An adapter's word that nothing was billed is taken where no response came, and for 4xx other than a timeout (LG-5). */
function isCertainlyUnbilled(status: number | null): boolean {
  return status === null || (status >= 400 && status < 500 && status !== 408);
}

function cancelledBeforeSend(signal: AbortSignal): ProviderFailure {
  return new ProviderFailure('cancelled', 'the call was cancelled before it was sent', {
    billing: 'not-billed',
    cause: signal.reason,
  });
}

/** What an answer becomes that came, or was booked, when its reservation's lease was over: nobody may use it (SQ-10). */
function answeredTooLate(lapsed: AbortSignal): ProviderFailure {
  return new ProviderFailure('cancelled', 'the answer came when the lease of its reservation was over', {
    billing: 'unknown',
    cause: lapsed.reason,
  });
}
