import type { CurrentBelief, KnownPerson, StoredTurn } from '../beliefs/belief-store.js';

/** What a request shows beside its instructions, in the order shown. */
export interface ShownState {
  readonly beliefs: readonly {
    /** `B1` to `Bn`. */
    readonly ref: string;
    readonly statement: string;
    readonly subjects: readonly string[];
    readonly observed_at: string;
  }[];
  readonly people: readonly KnownPerson[];
  readonly turns: readonly {
    readonly id: string;
    readonly at: string;
    readonly speaker: string;
    readonly text: string;
    readonly caption: string | null;
    /** The text replaces an earlier one. */
    readonly corrected: boolean;
  }[];
}

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
  chooseBeliefs(
    beliefs: readonly CurrentBelief[],
    turns: readonly StoredTurn[],
  ): readonly CurrentBelief[] | Promise<readonly CurrentBelief[]>;
  /** The user message, exactly. */
  requestText(shown: ShownState): string | Promise<string>;
}
