import type { Clock } from '../../core/clock.js';
import { PREPARATION_TIMES } from './admission.js';

/** Why a preparation was ended before its answer could be used. */
export type WatchEnd = 'deadline' | 'context-changed';

/**
 * Watches over one preparation from its beginning (SQ-8): each second it looks whether its context still holds, and at its deadline it is over.
 * What is asked under it is told to end then, and has a bounded time to clean up.
 */
export class PreparationWatch {
  readonly #clock: Clock;
  readonly #holds: () => boolean;
  readonly #over = new AbortController();
  readonly #deadlineMs: number;
  #ended: WatchEnd | null = null;
  #callOff: () => void = () => {};

  /** @param holds whether the context, and the admission that it stands for, are those of the beginning. */
  constructor(clock: Clock, holds: () => boolean) {
    this.#clock = clock;
    this.#holds = holds;
    this.#deadlineMs = clock.monotonicMs() + PREPARATION_TIMES.deadline_ms;
    this.#setAlarm();
  }

  /** Aborted once it is over. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Looks now: an answer that comes at the deadline is late, also where no alarm has rung yet. @returns why it is over; null while it is not. */
  look(): WatchEnd | null {
    if (this.#ended !== null) return this.#ended;
    if (this.#clock.monotonicMs() >= this.#deadlineMs) this.#end('deadline');
    else if (!this.#holds()) this.#end('context-changed');
    return this.#ended;
  }

  /**
   * Waits for work that heeds the signal; once that is aborted, for three more seconds at most. What it comes to later is nobody's.
   *
   * @returns its result, or null where it did not end in time. @throws what it throws in time.
   */
  async waitFor<Result>(work: Promise<Result>): Promise<Result | null> {
    let callOff: () => void = () => {};
    const abandoned = new Promise<null>((resolve) => {
      const onOver = (): void => {
        callOff = this.#clock.alarm(PREPARATION_TIMES.cleanup_ms, () => resolve(null));
      };
      if (this.signal.aborted) onOver();
      else this.signal.addEventListener('abort', onOver, { once: true });
    });
    try {
      return await Promise.race([work, abandoned]);
    } finally {
      callOff();
    }
  }

  /** Ends the watch; what was asked under it is done. */
  close(): void {
    this.#callOff();
  }

  #setAlarm(): void {
    const rest = this.#deadlineMs - this.#clock.monotonicMs();
    this.#callOff = this.#clock.alarm(Math.min(PREPARATION_TIMES.check_ms, rest), () => {
      if (this.look() === null) this.#setAlarm();
    });
  }

  #end(why: WatchEnd): void {
    this.#ended = why;
    this.#callOff();
    this.#over.abort(new Error(`the preparation is over: ${why}`));
  }
}
