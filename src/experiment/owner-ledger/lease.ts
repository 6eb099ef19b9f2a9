import type { Clock } from '../../core/clock.js';
import { PREPARATION_TIMES } from '../../memory/query-preparation/admission.js';

/**
 * The lease under which a question's send goes on (SQ-8): its receipt is looked at each second, and where it is pending no more, or cannot be
 * looked at, the send is told to end.
 */
export class Lease {
  readonly #lapsed = new AbortController();
  readonly #ended = new AbortController();

  constructor(isLive: () => Promise<boolean>, clock: Clock) {
    void this.#watch(isLive, clock);
  }

  /** Aborted once the lease holds no longer. */
  get lapsed(): AbortSignal {
    return this.#lapsed.signal;
  }

  /** Ends the watch: the send is being resolved. */
  end(): void {
    this.#ended.abort();
  }

  /** Says that the lease did not hold until the send was resolved. */
  lapse(): void {
    this.#lapsed.abort(new Error('the lease of the embedding reservation holds no longer'));
  }

  async #watch(isLive: () => Promise<boolean>, clock: Clock): Promise<void> {
    const { signal } = this.#ended;
    try {
      do await clock.sleep(PREPARATION_TIMES.check_ms, signal);
      while ((await isLive()) && !signal.aborted);
    } catch {
      // Woken because the send is resolved; or nobody can say that the lease holds.
    }
    if (!signal.aborted) this.lapse();
  }
}
