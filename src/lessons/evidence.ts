import { canonicalJson } from '../core/canonical-json.js';
import type { Digest } from '../core/digest.js';
import type { Trial } from './lessons.js';

/** Tells new results from copies: a trial that was not freshly read adds nothing to an earlier one of the same bank, question and repeat. */
class KnownReadings {
  readonly #known = new Set<string>();

  /** Whether the trial is a new reading; it is known from then on. */
  admit({ corpus, bank, question, repeat, freshly_read }: Trial): boolean {
    const reading = canonicalJson({ corpus, bank, question, repeat });
    const isNew = freshly_read || !this.#known.has(reading);
    this.#known.add(reading);
    return isNew;
  }
}

/** A lesson's failures, counted by independent runs (LE-2): a run counts once, and not at all where it only repeats stored readings. */
export class Failures {
  readonly #readings = new KnownReadings();
  readonly #runs = new Map<string, Digest>();

  /** Takes the next failure, in the order of events. */
  add(event: Digest, trial: Trial): void {
    const isNew = this.#readings.admit(trial);
    if (isNew && !this.#runs.has(trial.run)) this.#runs.set(trial.run, event);
  }

  get independentRuns(): number {
    return this.#runs.size;
  }

  /** The first counted failure of each independent run. */
  get evidence(): Digest[] {
    return [...this.#runs.values()];
  }
}

/** What a trial showed, with the event that says so. */
export interface TrialEvent {
  readonly event: Digest;
  readonly at: string;
  readonly trial: Trial;
}

/** Successes, one a trial: the first that is told. In the order of events. */
export class Successes {
  readonly #byTrial = new Map<string, TrialEvent>();

  add(success: TrialEvent): void {
    const trial = canonicalJson(success.trial);
    if (!this.#byTrial.has(trial)) this.#byTrial.set(trial, success);
  }

  /**
   * The successes that count towards expiry (LE-3): in one of these trials, after the lesson was first observed (an earlier one cannot show that the
   * failure has gone), and a new reading: copies of a stored success are no further ones, as with failures.
   */
  countedIn(trials: ReadonlySet<string>, firstObservedAt: string): Digest[] {
    const readings = new KnownReadings();
    const counted: Digest[] = [];
    for (const [key, { event, at, trial }] of this.#byTrial)
      if (trials.has(key) && at > firstObservedAt && readings.admit(trial)) counted.push(event);
    return counted;
  }
}
