import type { JsonValue } from '../../core/canonical-json.js';
import { digestText } from '../../core/digest.js';
import { evaluateLessons, replayLessons, transitionLines } from '../evaluate.js';
import type { LessonEvent } from '../lesson-event.js';
import type { Transition } from '../lessons.js';
import type { Findings } from './findings.js';
import { evaluation, failure, guardEvidence, human, LESSON, success, trial } from './sample-events.js';

const FIRST = failure(0, trial('run-1'));
const RECURRENCE = [FIRST, failure(1, trial('run-2', 'harbour/q2'))];
const EXPIRY = [FIRST, ...[1, 2, 3].map((day) => success(day, trial(`good-${day}`))), evaluation(7)];
const GUARDED = [FIRST, guardEvidence(1)];

const last = (events: readonly LessonEvent[]): Transition => evaluateLessons(events).transitions.at(-1) as Transition;
function events(of: readonly LessonEvent[]): JsonValue {
  const { cause, evidence } = last(of).lineage;
  return { cause, evidence };
}
const statesAt = (at: string): string[] =>
  replayLessons([...EXPIRY, failure(8, trial('run-2', 'harbour/q2'))], at).lessons.map(({ state }) => state);
const bytes = (of: readonly LessonEvent[]): string => digestText(transitionLines(evaluateLessons(of).transitions));

/** What a transition says of its causes, and that replay gives the same bytes and any earlier state (LE-1, LE-5). */
export const lineageFindings: Findings = {
  'lineage/evaluator': () => last(RECURRENCE).lineage.evaluator,
  'lineage/rules': () => last(RECURRENCE).lineage.rules,
  'lineage/profile': () => ({ ...last(RECURRENCE).lineage.profile }),
  'lineage/profile-digest': () => last(RECURRENCE).lineage.profile_digest,
  'lineage/fingerprint-digest': () => LESSON,
  'lineage/opening': () => events([FIRST]),
  'lineage/recurrence': () => events(RECURRENCE),
  'lineage/guard': () => events(GUARDED),
  'lineage/expiry': () => events(EXPIRY),
  'lineage/human': () => events([...GUARDED, human(3, 'enforced')]),

  'replay/before-the-first-failure': () => statesAt('2026-02-28T23:59:59.999Z'),
  'replay/at-the-first-failure': () => statesAt('2026-03-01T00:00:00.000Z'),
  'replay/before-the-evaluation': () => statesAt('2026-03-07T23:59:59.999Z'),
  'replay/at-the-evaluation': () => statesAt('2026-03-08T00:00:00.000Z'),
  'replay/after-the-recurrence': () => statesAt('2026-03-09T00:00:00.000Z'),
  'replay/bytes-of-a-recurrence': () => bytes(RECURRENCE),
  'replay/bytes-of-a-recurrence-backwards': () => bytes(RECURRENCE.toReversed()),
  'replay/bytes-of-an-expiry': () => bytes(EXPIRY),
  'replay/bytes-of-an-expiry-backwards': () => bytes(EXPIRY.toReversed()),
};
