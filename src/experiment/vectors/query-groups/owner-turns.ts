import type { Owner } from '../../../fixture/history.js';

/**
 * One preparation at a time for an owner, in the order in which they were asked for, whatever fixture or replicate they are of (SQ-9). Who
 * waits is bounded by the matrix's `concurrency`.
 */
export class OwnerTurns {
  /** By owner: settles when the last of those who came has gone. */
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs the work when all who came before have gone. @throws what it throws. */
  take<Result>({ tenant, principal }: Owner, work: () => Promise<Result>): Promise<Result> {
    const owner = JSON.stringify([tenant, principal]);
    const done = (this.#last.get(owner) ?? Promise.resolve()).then(work);
    const gone = done.then(
      () => {},
      () => {},
    );
    this.#last.set(owner, gone);
    return done;
  }
}
