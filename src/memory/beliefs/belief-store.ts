import type { CivilTime } from '../../core/civil-time.js';
import type { Sensitivity, TurnEvent } from '../../fixture/history.js';
import type { PersistenceMode } from '../formation/formation.js';

/** A turn as a belief cites it: by its version when the belief was formed. */
export interface TurnVersion {
  readonly id: string;
  /** 1 as said; one more for each correction. */
  readonly version: number;
}

/** A turn's present form, as formation shows it. */
export interface StoredTurn extends TurnVersion {
  readonly session: string;
  readonly at: CivilTime;
  readonly speaker: string;
  readonly text: string;
  readonly caption: string | null;
  readonly sensitivity: Sensitivity;
}

/** A belief as a request shows it. */
export interface CurrentBelief {
  readonly id: string;
  readonly statement: string;
  readonly subjects: readonly string[];
  /** `YYYY-MM-DD` or a civil time. */
  readonly observed_at: string;
}

/** A person as a request shows them. */
export interface KnownPerson {
  readonly name: string;
  /** Without the name and without repeats, in the order in which they were first given. */
  readonly aliases: readonly string[];
  readonly role: string | null;
}

/** What a formation step may show: everything current and permitted, in store order. */
export interface CurrentState {
  readonly beliefs: readonly CurrentBelief[];
  readonly people: readonly KnownPerson[];
}

/** A belief to persist. Its sensitivity and the time from which it is visible come from its sources. */
export interface NewBelief {
  readonly id: string;
  readonly statement: string;
  readonly subjects: readonly string[];
  readonly confidence: number;
  readonly observed_at: string;
  /** At least one, without repeats. */
  readonly sources: readonly StoredTurn[];
  /** Ids of earlier beliefs that this one retires, without repeats; ignored in mode `append`. */
  readonly supersedes: readonly string[];
}

/** What a batch says of a person. */
export interface PersonMention {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly role: string | null;
  /** At least one, without repeats. */
  readonly sources: readonly TurnVersion[];
}

/** What one batch adds. */
export interface BatchResult {
  readonly batch: string;
  readonly beliefs: readonly NewBelief[];
  readonly people: readonly PersonMention[];
  /** Ids for people that are new, in the order of the mentions; one a mention. */
  readonly person_ids: readonly string[];
}

/** How a batch is persisted. */
export interface PersistSettings {
  readonly mode: PersistenceMode;
  /** The most people that stay; `people.ts` says who. */
  readonly people_limit: number;
}

/**
 * One owner's turns, beliefs and people in Postgres. Each method is one transaction; none holds one while a provider is asked.
 * What corrections and erasures do is in `docs/decisions/corrections-and-erasures.md`.
 *
 * @throws kind `database` where the server is lost; internal fault `BELIEF_STORE_REFUSED` where it refuses a statement.
 */
export interface BeliefStore {
  /** Refuses with `STORE_NOT_EMPTY` (internal fault) where the owner has turns already (FB-4). */
  assertEmpty(): Promise<void>;
  /** Adds turns in order, and gives them in their stored form with what is current. */
  appendTurns(
    turns: readonly TurnEvent[],
  ): Promise<{ readonly turns: readonly StoredTurn[]; readonly current: CurrentState }>;
  /**
   * Replaces a turn's text; its caption stays. What rests on the earlier version is withheld from then on.
   *
   * @throws kind `invalid-input`, `CORRECTION_OF_ERASED_TURN`, where the turn was erased before: an erasure always holds.
   */
  correctTurn(turnId: string, text: string): Promise<{ readonly turn: StoredTurn; readonly current: CurrentState }>;
  /** Removes a turn's text and caption, and the beliefs, people and names that rest on it alone. Erasing twice is erasing once. */
  eraseTurn(turnId: string): Promise<void>;
  /** Persists what a batch adds. */
  persistBatch(result: BatchResult, settings: PersistSettings): Promise<void>;
  /** How much is stored, superseded and withheld beliefs included. */
  counts(): Promise<{ readonly beliefs: number; readonly people: number }>;
}
