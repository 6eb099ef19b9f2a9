import { canonicalJson } from '../core/canonical-json.js';
import type { Digest } from '../core/digest.js';
import { InvalidInputErrors, invalidInput, type RecallMatrixError } from '../core/errors.js';
import type { LessonEvent, Trial } from './lesson-event.js';
import { type IdentifiedEvent, lessonNamed } from './order-events.js';

/**
 * Refuses events, in their order, that tell no single story.
 *
 * @throws `InvalidInputErrors` with every fault: `LESSON_NOT_OPEN` (an event about a lesson that nothing opened before it), `LESSON_ALREADY_OPEN`
 * (an import of one that is open), `LESSON_TRIAL_CONTRADICTS` (one run, arm, question, replicate and repeat with two banks, or both fresh and stored),
 * `LESSON_EXPOSURE_CONTRADICTS` (one lesson and trial, exposed in two ways), `LESSON_OUTCOME_CONTRADICTS` (one trial that failed and succeeded),
 * `LESSON_OTHER_CORPUS` (a lesson that recurs in another corpus than its own).
 */
export function checkEvents(ordered: readonly IdentifiedEvent[]): void {
  const faults = [
    ...openingFaults(ordered),
    ...[TRIALS, EXPOSURES, OUTCOMES].flatMap((telling) => contradictions(ordered, telling)),
  ];
  if (faults.length > 0) throw new InvalidInputErrors(faults);
}

function openingFaults(ordered: readonly IdentifiedEvent[]): RecallMatrixError[] {
  const corpora = new Map<Digest, Digest>();
  const faults: RecallMatrixError[] = [];
  for (const { digest, event } of ordered) {
    const lesson = lessonNamed(event);
    if (lesson === null) continue;
    const corpus = corpora.get(lesson);
    const isOpen = corpus !== undefined;
    if (event.kind === 'state-import' && isOpen) faults.push(alreadyOpen(digest, event, lesson));
    if (!('fingerprint' in event) && !isOpen) faults.push(notOpen(digest, event, lesson));
    if (event.kind === 'recurrence' && isOpen && event.trial.corpus !== corpus)
      faults.push(otherCorpus(digest, event, corpus));
    if ('fingerprint' in event) corpora.set(lesson, event.fingerprint.scope.corpus);
  }
  return faults;
}

function alreadyOpen(digest: Digest, event: LessonEvent, lesson: Digest): RecallMatrixError {
  return invalidInput(
    'LESSON_ALREADY_OPEN',
    `event ${digest} of ${event.at} imports lesson ${lesson}, which is open already`,
    { remedy: 'import a lesson before its first event; only the evaluator changes one that is open' },
  );
}

function notOpen(digest: Digest, event: LessonEvent, lesson: Digest): RecallMatrixError {
  return invalidInput(
    'LESSON_NOT_OPEN',
    `event ${digest} (${event.kind}) of ${event.at} is about lesson ${lesson}, which no failure or import has opened by then`,
    { remedy: 'include the events that opened it' },
  );
}

function otherCorpus(digest: Digest, event: LessonEvent, corpus: Digest): RecallMatrixError {
  return invalidInput(
    'LESSON_OTHER_CORPUS',
    `event ${digest} of ${event.at} tells of a recurrence in another corpus than that of its lesson, ${corpus}`,
    { remedy: 'tell of it as a failure with a fingerprint of its own: another corpus is another lesson' },
  );
}

/** A part of an event that may be told in one way only, and what it is told of; null where the event has none. */
interface Telling {
  readonly code: string;
  readonly of: (event: LessonEvent) => { readonly subject: string; readonly said: string } | null;
}

const TRIALS: Telling = {
  code: 'LESSON_TRIAL_CONTRADICTS',
  of: (event) => ('trial' in event ? { subject: placeOf(event.trial), said: canonicalJson(event.trial) } : null),
};

const EXPOSURES: Telling = {
  code: 'LESSON_EXPOSURE_CONTRADICTS',
  of: (event) =>
    event.kind === 'exposure'
      ? {
          subject: `lesson ${event.lesson}, ${placeOf(event.trial)}`,
          said: canonicalJson({ eligible: event.eligible, related: event.related, injected: event.injected }),
        }
      : null,
};

const OUTCOMES: Telling = {
  code: 'LESSON_OUTCOME_CONTRADICTS',
  of: (event) => {
    if (event.kind === 'exposure') return { subject: placeOf(event.trial), said: event.outcome };
    const isFailure = event.kind === 'failure-observed' || event.kind === 'recurrence';
    return isFailure ? { subject: placeOf(event.trial), said: 'failure' } : null;
  },
};

/** What a trial is known by, without what is true of it. */
function placeOf({ run, arm, corpus, question, replicate, repeat }: Trial): string {
  return `trial ${canonicalJson({ run, arm, corpus, question, replicate, repeat })}`;
}

function contradictions(ordered: readonly IdentifiedEvent[], telling: Telling): RecallMatrixError[] {
  const first = new Map<string, { readonly digest: Digest; readonly said: string }>();
  const faults: RecallMatrixError[] = [];
  for (const { digest, event } of ordered) {
    const told = telling.of(event);
    if (told === null) continue;
    const before = first.get(told.subject);
    if (before === undefined) first.set(told.subject, { digest, said: told.said });
    else if (before.said !== told.said)
      faults.push(
        invalidInput(
          telling.code,
          `${told.subject}: event ${before.digest} says ${before.said}, event ${digest} says ${told.said}`,
          { remedy: 'keep the one that is true' },
        ),
      );
  }
  return faults;
}
