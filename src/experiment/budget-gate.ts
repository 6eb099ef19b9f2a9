import { RecallMatrixError } from '../core/errors.js';
import { AdmissionRefused } from '../memory/query-preparation/admission-refused.js';

/**
 * Lets calls go on until the budget refuses one for good (MX-9): a refusal while others are in flight may only mean that their
 * worst cases are still held. Then no new task starts, those in flight finish, and the refused one is tried once more, alone. Refused
 * again, the gate closes for everyone: nobody's smaller call slips in behind it.
 */
export class BudgetGate {
  #inFlight = 0;
  #closedBy: RecallMatrixError | null = null;
  #turn: Promise<void> = Promise.resolve();
  #idle: (() => void) | null = null;

  /** The refusal that closed the gate; null while it is open. */
  get closedBy(): RecallMatrixError | null {
    return this.#closedBy;
  }

  /** Closes the gate for everyone, for a refusal met elsewhere: by formation, which is not tried again. */
  close(refusal: RecallMatrixError): void {
    this.#closedBy ??= refusal;
  }

  /**
   * Runs a task that may be refused by the budget.
   *
   * @returns what the task gives; null where the gate was closed before it began.
   * @throws what the task throws, the final refusal included.
   */
  async pass<T>(task: () => Promise<T>): Promise<T | null> {
    await this.#open();
    if (this.#closedBy !== null) return null;
    try {
      return await this.#counted(task);
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
    return this.#alone(task);
  }

  /** Waits until nobody is being tried alone, also those who came to it meanwhile. */
  async #open(): Promise<void> {
    for (let turn: Promise<void> | null = null; turn !== this.#turn; ) {
      turn = this.#turn;
      await turn;
    }
  }

  async #alone<T>(task: () => Promise<T>): Promise<T | null> {
    const before = this.#turn;
    let open: () => void = () => {};
    this.#turn = new Promise((resolve) => {
      open = resolve;
    });
    try {
      await before;
      if (this.#closedBy !== null) return null;
      await this.#whenIdle();
      return await this.#counted(task);
    } catch (error) {
      if (isRefusal(error)) this.#closedBy ??= error;
      throw error;
    } finally {
      open();
    }
  }

  async #counted<T>(task: () => Promise<T>): Promise<T> {
    this.#inFlight += 1;
    try {
      return await task();
    } finally {
      this.#inFlight -= 1;
      if (this.#inFlight === 0) this.#idle?.();
    }
  }

  #whenIdle(): Promise<void> {
    if (this.#inFlight === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#idle = () => {
        this.#idle = null;
        resolve();
      };
    });
  }
}

/** Whether the run's budget refused. An owner's embedding allowance that refuses stops nothing but what embeds (SQ-9). */
export function isRefusal(error: unknown): error is RecallMatrixError {
  return error instanceof RecallMatrixError && error.kind === 'budget' && !(error instanceof AdmissionRefused);
}
