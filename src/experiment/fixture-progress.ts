import type { RunEvent } from './experiment.js';
import { type Session, tell } from './session.js';

/** With more fixtures than this, progress is told by fixtures, and not by what goes on within each. */
const MANY = 20;

/** Tells how far a run of many fixtures is, and how long the rest will take if it takes as long as what is done. */
export class FixtureProgress {
  readonly #startedMs: number;
  #done = 0;
  /** The session as blocks see it: of many fixtures, only recordings tell their own stages. */
  readonly within: Session;

  constructor(
    private readonly session: Session,
    private readonly total: number,
    private readonly noun = 'fixtures',
  ) {
    this.#startedMs = session.clock.monotonicMs();
    this.within = total > MANY ? { ...session, progress: (event) => this.#pass(event) } : session;
  }

  /** One more fixture is done. */
  finished(): void {
    this.#done += 1;
    if (this.total <= MANY) return;
    const elapsed = this.session.clock.monotonicMs() - this.#startedMs;
    tell(this.session, this.noun, this.#done, this.total, (elapsed / this.#done) * (this.total - this.#done));
  }

  #pass(event: RunEvent): void {
    if (event.kind === 'note' || event.stage.startsWith('recording ')) this.session.progress(event);
  }
}
