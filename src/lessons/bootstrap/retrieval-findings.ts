import { evaluateLessons } from '../evaluate.js';
import { lessonOf } from '../fingerprint.js';
import type { LessonEvent } from '../lesson-event.js';
import { LESSON_STATES } from '../lesson-state.js';
import { projectionOf } from '../projection.js';
import { visibilityOf } from '../visibility.js';
import { type Findings, states } from './findings.js';
import {
  evaluation,
  failedWith,
  failure,
  fingerprint,
  guardEvidence,
  human,
  imported,
  success,
  trial,
} from './sample-events.js';

const CUT = fingerprint('cut-from-context');
const NEVER = fingerprint('never-formed');
const SUPERSEDED = fingerprint('wrongly-superseded');

/** One lesson in each state. */
const STORY: readonly LessonEvent[] = [
  failure(0, trial('run-1')),
  failure(1, trial('run-2', 'harbour/q2')),
  failure(0, trial('run-1', 'harbour/q3'), CUT),
  guardEvidence(1, undefined, undefined, lessonOf(CUT)),
  human(3, 'enforced', lessonOf(CUT)),
  failure(0, trial('run-1', 'harbour/q4'), NEVER),
  guardEvidence(1, undefined, undefined, lessonOf(NEVER)),
  human(3, 'compiled', lessonOf(NEVER)),
  failure(0, trial('run-1', 'harbour/q5'), SUPERSEDED),
  ...[1, 2, 3].map((day) => success(day, trial(`good-${day}`), { lesson: lessonOf(SUPERSEDED) })),
  evaluation(7),
  failure(8, trial('run-3', 'harbour/q6'), fingerprint('misread')),
  imported(0, 'probationary', failedWith('PROVIDER_TIMEOUT')),
];

/** What retrieval may read after the story: the projection that the fixture retains. */
export function retainedProjection(events: readonly LessonEvent[] = STORY): ReturnType<typeof projectionOf> {
  return projectionOf(evaluateLessons(events).lessons);
}

/** What retrieval shows, and what it never does (LE-4). */
export const retrievalFindings: Findings = {
  ...Object.fromEntries(LESSON_STATES.map((state) => [`quarantine/${state}`, () => visibilityOf(state)])),
  'quarantine/states-of-the-story': () => states(STORY).sort(),
  'quarantine/states-in-the-projection': () => retainedProjection().projection.lessons.map(({ state }) => state),

  'projection/of-nothing': () => projectionOf([]).digest,
  'projection/of-the-story': () => retainedProjection().digest,
  'projection/of-the-story-backwards': () => retainedProjection(STORY.toReversed()).digest,
  'projection/learnt-from': () => retainedProjection().projection.lessons.map(({ learnt_from }) => [...learnt_from]),
};
