import { canonicalJson } from '../core/canonical-json.js';
import type { Digest } from '../core/digest.js';
import { checkEvents } from './check-events.js';
import { Failures, Successes } from './evidence.js';
import {
  compareText,
  EVALUATOR_VERSION,
  type Fingerprint,
  type Lesson,
  type LessonEvaluation,
  type LessonEvent,
  type LessonState,
  lessonOf,
  PAPER_THRESHOLDS,
  RULE_VERSION,
  type Thresholds,
  type Transition,
} from './lessons.js';
import { type IdentifiedEvent, lessonNamed, orderEvents } from './order-events.js';

const DAY_MS = 86_400_000;

/** An expired lesson that recurs is needed after all; an enforced or compiled one has gone further than verified already. */
const CAN_BE_VERIFIED: readonly LessonState[] = ['candidate', 'probationary', 'expired'];
const CAN_EXPIRE: readonly LessonState[] = ['candidate', 'probationary'];

/** An open lesson and what is known of it so far. */
interface Dossier {
  readonly lesson: Digest;
  readonly fingerprint: Fingerprint;
  readonly firstObservedAt: string;
  /** Its first failure lies before the events, so any failure among them is a recurrence. */
  readonly isImported: boolean;
  readonly failures: Failures;
  /** The trials, as canonical JSON, that could have shown the failure and were not handed the lesson. */
  readonly unassistedTrials: Set<string>;
  preventions: number;
  state: LessonState;
  since: string;
}

/**
 * The states that lessons reach by their evidence (LE-1 to LE-3). The paper calls `verified` and `expired` candidates of a transition; this evaluator
 * makes the transition at once: to `verified` with the event that completes the evidence, to `expired` with the evaluation event that finds it
 * complete. Events are taken in the order of `orderEvents`; the same events and thresholds give equal transitions, byte for byte.
 *
 * @throws `InvalidInputErrors` as `checkEvents` does.
 */
export function evaluateLessons(
  events: Iterable<LessonEvent>,
  thresholds: Thresholds = PAPER_THRESHOLDS,
): LessonEvaluation {
  const ordered = orderEvents(events);
  checkEvents(ordered);
  const evaluator = new Evaluator(thresholds);
  for (const event of ordered) evaluator.take(event);
  return evaluator.result();
}

/** The states at a time, that instant included (LE-5): what an evaluation then, of the events until then, would have given. */
export function replayLessons(
  events: Iterable<LessonEvent>,
  at: string,
  thresholds: Thresholds = PAPER_THRESHOLDS,
): LessonEvaluation {
  return evaluateLessons(
    [...events].filter((event) => event.at <= at),
    thresholds,
  );
}

/** Transitions as canonical JSON lines: the bytes that are compared (LE-1). */
export function transitionLines(transitions: readonly Transition[]): string {
  return transitions.map((transition) => `${canonicalJson(transition)}\n`).join('');
}

class Evaluator {
  readonly #thresholds: Thresholds;
  readonly #dossiers = new Map<Digest, Dossier>();
  readonly #successes = new Successes();
  readonly #transitions: Transition[] = [];

  constructor(thresholds: Thresholds) {
    this.#thresholds = thresholds;
  }

  result(): LessonEvaluation {
    return { transitions: this.#transitions, lessons: this.#sorted().map(asLesson) };
  }

  take(identified: IdentifiedEvent): void {
    const { digest, event } = identified;
    if (event.kind === 'success') this.#successes.add({ event: digest, at: event.at, trial: event.trial });
    else if (event.kind === 'evaluation') this.#evaluate(identified);
    else this.#weigh(identified, event, this.#dossiers.get(lessonNamed(event) as Digest) ?? this.#open(identified));
  }

  #weigh(identified: IdentifiedEvent, event: LessonEvent, dossier: Dossier): void {
    const { digest } = identified;
    if (event.kind === 'failure-observed' || event.kind === 'recurrence') {
      dossier.failures.add(digest, event.trial);
      this.#verifyByRecurrence(identified, dossier);
    } else if (event.kind === 'guard-evidence') {
      if (!this.#isReproducible(event.before, event.after)) return;
      this.#verify(identified, dossier, 'verified-by-guard', [digest]);
    } else if (event.kind === 'guard-prevented') dossier.preventions += 1;
    else if (event.kind === 'exposure' && event.eligible && !event.injected)
      dossier.unassistedTrials.add(canonicalJson(event.trial));
  }

  #open(identified: IdentifiedEvent): Dossier {
    const { event } = identified as { readonly event: Extract<LessonEvent, { fingerprint: unknown }> };
    const isImported = event.kind === 'state-import';
    const dossier: Dossier = {
      lesson: lessonOf(event.fingerprint),
      fingerprint: event.fingerprint,
      firstObservedAt: isImported ? event.first_observed_at : event.at,
      isImported,
      failures: new Failures(),
      unassistedTrials: new Set(),
      preventions: 0,
      state: isImported ? event.state : 'candidate',
      since: event.at,
    };
    this.#dossiers.set(dossier.lesson, dossier);
    const rule = isImported ? 'opened-by-import' : 'opened-by-failure';
    this.#record(identified, dossier, null, rule, [identified.digest]);
    return dossier;
  }

  #verifyByRecurrence(cause: IdentifiedEvent, dossier: Dossier): void {
    if (dossier.failures.independentRuns < this.#thresholds.recurrence_runs) return;
    this.#verify(cause, dossier, 'verified-by-recurrence', dossier.failures.evidence);
  }

  #verify(cause: IdentifiedEvent, dossier: Dossier, rule: Transition['rule'], evidence: Digest[]): void {
    if (CAN_BE_VERIFIED.includes(dossier.state)) this.#move(cause, dossier, 'verified', rule, evidence);
  }

  #isReproducible(before: readonly string[], after: readonly string[]): boolean {
    return (
      Math.min(before.length, after.length) >= this.#thresholds.guard_executions &&
      before.every((outcome) => outcome === 'fail') &&
      after.every((outcome) => outcome === 'pass')
    );
  }

  #evaluate(cause: IdentifiedEvent): void {
    for (const dossier of this.#sorted()) {
      if (!this.#mayExpire(dossier, cause.event.at)) continue;
      const counted = this.#successes.countedIn(dossier.unassistedTrials, dossier.firstObservedAt);
      if (counted.length >= this.#thresholds.unassisted_successes)
        this.#move(cause, dossier, 'expired', 'expired-unassisted', counted);
    }
  }

  #mayExpire(dossier: Dossier, present: string): boolean {
    const ageMs = Date.parse(present) - Date.parse(dossier.firstObservedAt);
    const hasRecurred = dossier.failures.independentRuns > (dossier.isImported ? 0 : 1);
    return (
      CAN_EXPIRE.includes(dossier.state) &&
      ageMs >= this.#thresholds.minimum_age_days * DAY_MS &&
      !hasRecurred &&
      dossier.preventions === 0
    );
  }

  #move(cause: IdentifiedEvent, dossier: Dossier, to: LessonState, rule: Transition['rule'], evidence: Digest[]): void {
    const from = dossier.state;
    dossier.state = to;
    dossier.since = cause.event.at;
    this.#record(cause, dossier, from, rule, evidence);
  }

  #record(
    { digest, event }: IdentifiedEvent,
    dossier: Dossier,
    from: LessonState | null,
    rule: Transition['rule'],
    evidence: Digest[],
  ): void {
    this.#transitions.push({
      format: 'lesson-transition@1',
      at: event.at,
      lesson: dossier.lesson,
      fingerprint: dossier.fingerprint,
      from,
      to: dossier.state,
      rule,
      first_observed_at: dossier.firstObservedAt,
      cause: digest,
      evidence,
      lineage: { evaluator: EVALUATOR_VERSION, rules: RULE_VERSION, thresholds: this.#thresholds },
    });
  }

  #sorted(): Dossier[] {
    return [...this.#dossiers.values()].sort((a, b) => compareText(a.lesson, b.lesson));
  }
}

function asLesson({ lesson, fingerprint, state, firstObservedAt, since }: Dossier): Lesson {
  return { lesson, fingerprint, state, firstObservedAt, since };
}
