import type { Digest } from '../../../core/digest.js';
import type { LookupMiss } from '../../../memory/query-preparation/query-preparation.js';
import type { Usage } from '../../../provider/usage.js';
import { OwnerTurns } from './owner-turns.js';
import { NO_OTHER_PROCESS, type ProcessTurns } from './process-turns.js';

/** A query that was tried in this session and has no vector. */
export interface MissedQuery {
  readonly miss: LookupMiss;
  /** Whether it was in a request: one that was withheld or refused was not, and cost nothing. */
  readonly was_sent: boolean;
  /** Its share of the failed request; null where that is not known. */
  readonly usage: Usage | null;
}

/** What a session knows of query preparation beyond one block: whose turn it is, and what is not tried again (SQ-8, SQ-9). */
export class SessionQueries {
  readonly turns = new OwnerTurns();
  #hasWaited = false;
  readonly #missed = new Map<string, Map<Digest, MissedQuery>>();

  /** @param tellWait told once, where another process's preparation is waited for. */
  constructor(
    private readonly tellWait: () => void = () => {},
    readonly processTurns: ProcessTurns = NO_OTHER_PROCESS,
  ) {}

  readonly onWait = (): void => {
    if (!this.#hasWaited) this.tellWait();
    this.#hasWaited = true;
  };

  /** The queries of a fixture, by their texts, that this session tried in vain: no other block of the fixture sends them again. */
  missedOf(fixture: string): Map<Digest, MissedQuery> {
    const missed = this.#missed.get(fixture) ?? new Map<Digest, MissedQuery>();
    this.#missed.set(fixture, missed);
    return missed;
  }
}
