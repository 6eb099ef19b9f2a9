import { canonicalJson } from '../core/canonical-json.js';
import { type Digest, digestJson } from '../core/digest.js';
import { InvalidInputErrors, type RecallMatrixError } from '../core/errors.js';
import { checkEvents } from './check-events.js';
import { Failures, UnassistedSuccesses } from './evidence.js';
import { type Fingerprint, lessonOf } from './fingerprint.js';
import { refusedTransition } from './human-transition.js';
import type { LessonEvent } from './lesson-event.js';
import type { LessonState } from './lesson-state.js';
import {
  EVALUATOR_VERSION,
  type Lesson,
  type LessonEvaluation,
  RULE_VERSION,
  type Transition,
  type TransitionRule,
} from './lessons.js';
import { type IdentifiedEvent, lessonNamed, orderEvents } from './order-events.js';
import { PAPER_PROFILE, type ThresholdProfile } from './threshold-profile.js';
import { compareText } from './values.js';

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
  readonly successes: UnassistedSuccesses;
  preventions: number;
  state: LessonState;
  since: string;
}

/**
 * The states that lessons reach by their evidence (LE-1 to LE-3). The paper calls `verified` and `expired` candidates of a transition; this evaluator
 * makes the transition at once: to `verified` with the event that completes the evidence, to `expired` with the evaluation event that finds it
 * complete. People lead on from `verified`. Events are taken in the order of `orderEvents`; the same events and profile give equal transitions,
 * byte for byte.
 *
 * @throws `InvalidInputErrors` as `checkEvents` does; with `LESSON_TRANSITION_REFUSED` for each of people's transitions that no rule allows.
 */
export function evaluateLessons(
  events: Iterable<LessonEvent>,
  profile: ThresholdProfile = PAPER_PROFILE,
): LessonEvaluation {
  const ordered = orderEvents(events);
  checkEvents(ordered);
  const evaluator = new Evaluator(profile);
  for (const event of ordered) evaluator.take(event);
  return evaluator.result();
}

/** The states at a time, that instant included (LE-5): what an evaluation then, of the events until then, would have given. */
export function replayLessons(
  events: Iterable<LessonEvent>,
  at: string,
  profile: ThresholdProfile = PAPER_PROFILE,
): LessonEvaluation {
  return evaluateLessons(
    [...events].filter((event) => event.at <= at),
    profile,
  );
}

/** Transitions as canonical JSON lines: the bytes that are compared (LE-1). */
export function transitionLines(transitions: readonly Transition[]): string {
  return transitions.map((transition) => `${canonicalJson(transition)}\n`).join('');
}

class Evaluator {
  readonly #profile: ThresholdProfile;
  readonly #profileDigest: Digest;
  readonly #dossiers = new Map<Digest, Dossier>();
  readonly #transitions: Transition[] = [];
  readonly #refused: RecallMatrixError[] = [];

  constructor(profile: ThresholdProfile) {
    this.#profile = profile;
    this.#profileDigest = digestJson(profile);
  }

  result(): LessonEvaluation {
    if (this.#refused.length > 0) throw new InvalidInputErrors(this.#refused);
    return { transitions: this.#transitions, lessons: this.#sorted().map(asLesson) };
  }

  take(identified: IdentifiedEvent): void {
    const { event } = identified;
    if (event.kind === 'evaluation') this.#evaluate(identified);
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
    else if (event.kind === 'exposure') dossier.successes.add(digest, event);
    else if (event.kind === 'human-transition') {
      const refused = refusedTransition(digest, event, dossier.state);
      if (refused !== null) this.#refused.push(refused);
      else this.#move(identified, dossier, event.to, `${event.to}-by-human`, [digest]);
    }
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
      successes: new UnassistedSuccesses(),
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
    if (dossier.failures.independentRuns < this.#profile.recurrence_runs) return;
    this.#verify(cause, dossier, 'verified-by-recurrence', dossier.failures.evidence);
  }

  #verify(cause: IdentifiedEvent, dossier: Dossier, rule: TransitionRule, evidence: Digest[]): void {
    if (CAN_BE_VERIFIED.includes(dossier.state)) this.#move(cause, dossier, 'verified', rule, evidence);
  }

  #isReproducible(before: readonly string[], after: readonly string[]): boolean {
    return (
      Math.min(before.length, after.length) >= this.#profile.guard_executions &&
      before.every((outcome) => outcome === 'fail') &&
      after.every((outcome) => outcome === 'pass')
    );
  }

  #evaluate(cause: IdentifiedEvent): void {
    for (const dossier of this.#sorted()) {
      if (!this.#mayExpire(dossier, cause.event.at)) continue;
      const counted = dossier.successes.countedSince(dossier.firstObservedAt);
      if (counted.length >= this.#profile.unassisted_successes)
        this.#move(cause, dossier, 'expired', 'expired-unassisted', counted);
    }
  }

  #mayExpire(dossier: Dossier, present: string): boolean {
    const ageMs = Date.parse(present) - Date.parse(dossier.firstObservedAt);
    const hasRecurred = dossier.failures.independentRuns > (dossier.isImported ? 0 : 1);
    return (
      CAN_EXPIRE.includes(dossier.state) &&
      ageMs >= this.#profile.minimum_age_days * DAY_MS &&
      !hasRecurred &&
      dossier.preventions === 0
    );
  }

  #move(cause: IdentifiedEvent, dossier: Dossier, to: LessonState, rule: TransitionRule, evidence: Digest[]): void {
    const from = dossier.state;
    dossier.state = to;
    dossier.since = cause.event.at;
    this.#record(cause, dossier, from, rule, evidence);
  }

  #record(
    { digest, event }: IdentifiedEvent,
    dossier: Dossier,
    from: LessonState | null,
    rule: TransitionRule,
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
      lineage: {
        evaluator: EVALUATOR_VERSION,
        rules: RULE_VERSION,
        profile: this.#profile,
        profile_digest: this.#profileDigest,
        cause: digest,
        evidence,
      },
    });
  }

  #sorted(): Dossier[] {
    return [...this.#dossiers.values()].sort((a, b) => compareText(a.lesson, b.lesson));
  }
}

function asLesson({ lesson, fingerprint, state, firstObservedAt, since, isImported, failures }: Dossier): Lesson {
  return {
    lesson,
    fingerprint,
    state,
    first_observed_at: firstObservedAt,
    since,
    is_imported: isImported,
    learnt_from: failures.questions,
  };
}
