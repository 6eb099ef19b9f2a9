import type { MeteredCall } from '../../provider/metered.js';
import { addUsage, NO_USAGE, type Usage } from '../../provider/usage.js';
import { sumKnown } from '../summary/amounts.js';

/** Adds up the live calls of one stage, as the meter reports them: what was sent and paid, and what it would have cost alone. */
export class CallAccount {
  readonly #calls: MeteredCall[] = [];

  readonly add = (call: MeteredCall): void => {
    this.#calls.push(call);
  };

  /** How many calls there were so far: a place to count from. */
  mark(): number {
    return this.#calls.length;
  }

  /** The calls after a mark, added up. */
  since(mark: number): {
    readonly calls: number;
    readonly usage: Usage | null;
    readonly attributed_nano_usd: bigint | null;
  } {
    const later = new CallAccount();
    for (const call of this.#calls.slice(mark)) later.add(call);
    return { calls: later.mark(), usage: later.usage, attributed_nano_usd: later.attributed_nano_usd };
  }

  /** New sends: an in-process call is none. */
  get sends(): number {
    return this.#calls.filter((call) => call.is_send && call.outcome !== 'released').length;
  }

  /** What was really paid; what stays held is in `uncertain`. */
  get actual_nano_usd(): bigint {
    return this.#calls.reduce((sum, call) => sum + (call.actual_nano_usd ?? 0n), 0n);
  }

  /** Whole reservations of calls whose bill is unknown. */
  get uncertain_nano_usd(): bigint {
    return this.#calls.reduce((sum, call) => sum + (call.outcome === 'held' ? call.reserved_nano_usd : 0n), 0n);
  }

  /** Tokens of every call; null where a call's are unknown. */
  get usage(): Usage | null {
    return this.#calls.reduce<Usage | null>(
      (sum, call) => (sum === null || call.usage === null ? null : addUsage(sum, call.usage)),
      NO_USAGE,
    );
  }

  /** Tokens of the sends alone; null where one is unknown. */
  get sent_usage(): Usage | null {
    return this.#calls
      .filter((call) => call.is_send)
      .reduce<Usage | null>(
        (sum, call) => (sum === null || call.usage === null ? null : addUsage(sum, call.usage)),
        NO_USAGE,
      );
  }

  /** What the calls would have cost on their own; null where one has no price or no usage. */
  get attributed_nano_usd(): bigint | null {
    return sumKnown(this.#calls.map((call) => call.attributed_nano_usd));
  }

  get latency_ms(): number {
    return this.#calls.reduce((sum, call) => sum + call.latency_ms, 0);
  }

  get reported_models(): string[] {
    return [...new Set(this.#calls.flatMap((call) => (call.reported_model === null ? [] : [call.reported_model])))];
  }
}
