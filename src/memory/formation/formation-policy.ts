import type { CurrentBelief, StoredTurn } from '../beliefs/belief-store.js';

/** How a batch becomes a request, and what is kept of people. Its name and version are part of a bank's identity. */
export interface FormationPolicy {
  /** Name and version, e.g. `facts@1`. A change to anything below is a new version. */
  readonly name: string;
  /** The system message, exactly. */
  readonly instructions: string;
  /** The most people that stay (ST-1). */
  readonly people_limit: number;
  /**
   * The current beliefs that a batch is shown.
   *
   * @param beliefs all that are current, in store order.
   * @returns some of them, in store order.
   */
  chooseBeliefs(beliefs: readonly CurrentBelief[], turns: readonly StoredTurn[]): readonly CurrentBelief[];
}
