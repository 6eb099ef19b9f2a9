import { canonicalJson } from '../core/canonical-json.js';
import type { Digest } from '../core/digest.js';
import type { LessonEvent, Trial } from './lesson-event.js';
import { compareText } from './values.js';

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
  readonly #questions = new Set<string>();

  /** Takes the next failure, in the order of events. */
  add(event: Digest, trial: Trial): void {
    this.#questions.add(trial.question);
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

  /** Where they were observed, counted or not: sorted by UTF-16 code units. */
  get questions(): string[] {
    return [...this.#questions].sort(compareText);
  }
}

/** A lesson met a trial. */
export type Exposure = Extract<LessonEvent, { readonly kind: 'exposure' }>;

/** A lesson's successes without it (LE-3): in an eligible and related exposure, the lesson not injected. One a trial, the first that is told. */
export class UnassistedSuccesses {
  readonly #byTrial = new Map<string, { readonly event: Digest; readonly exposure: Exposure }>();

  /** Takes the next exposure of the lesson, in the order of events. */
  add(event: Digest, exposure: Exposure): void {
    const { eligible, related, injected, outcome } = exposure;
    if (!eligible || !related || injected || outcome !== 'success') return;
    const trial = canonicalJson(exposure.trial);
    if (!this.#byTrial.has(trial)) this.#byTrial.set(trial, { event, exposure });
  }

  /**
   * Those that count towards expiry: after the lesson was first observed (an earlier one cannot show that the failure has gone), and a new reading:
   * copies of a stored success are no further ones, as with failures.
   */
  countedSince(firstObservedAt: string): Digest[] {
    const readings = new KnownReadings();
    const counted: Digest[] = [];
    for (const { event, exposure } of this.#byTrial.values()) {
      // Also an earlier reading is known: a copy of it is none of the time after.
      const isNew = readings.admit(exposure.trial);
      if (isNew && exposure.at > firstObservedAt) counted.push(event);
    }
    return counted;
  }
}
