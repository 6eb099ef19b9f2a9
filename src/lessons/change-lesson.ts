import { digestJson } from '../core/digest.js';
import { addEvents } from './add-events.js';
import { BASIS, stateCounts } from './describe-lessons.js';
import type { LessonChangeDocument, LessonImportDocument } from './documents.js';
import { evaluateLessons } from './evaluate.js';
import { findLesson } from './find-lesson.js';
import type { LessonEvent } from './lesson-event.js';
import type { HumanState } from './lesson-state.js';
import type { LessonLog } from './log.js';

/** What a person decides. */
export interface Decision {
  /** As `findLesson` takes it. */
  readonly id: string;
  readonly to: HumanState;
  readonly actor: string;
  readonly reason_code: string | null;
  /** A digest; null but for `compiled`. */
  readonly guard: string | null;
}

/** Records an evaluation's present (LE-3), and gives what it expired. */
export function recordEvaluation(log: LessonLog, at: string): Promise<LessonChangeDocument> {
  return change(log, { format: 'lesson-event@1', at, extension: true, kind: 'evaluation' });
}

/**
 * Records a person's transition.
 *
 * @throws exit 2: as `findLesson` does; `LESSON_EVENT_INVALID`; `LESSON_TRANSITION_REFUSED` where the lesson is in no state that it is reached from.
 */
export async function recordDecision(log: LessonLog, decision: Decision, at: string): Promise<LessonChangeDocument> {
  const { id, ...rest } = decision;
  const { lesson } = findLesson(evaluateLessons(log.events).lessons, id);
  const kind = 'human-transition' as const;
  const told = { format: 'lesson-event@1', at, extension: true, kind, lesson, ...rest } as LessonEvent;
  return change(log, told);
}

/** Adds the events of other logs, or of whoever guards: each once. */
export async function importEvents(log: LessonLog, events: readonly LessonEvent[]): Promise<LessonImportDocument> {
  const { added, known, evaluation } = await addEvents(log, events);
  return { format: 'lesson-import@1', ...BASIS, added, known, states: stateCounts(evaluation.lessons) };
}

async function change(log: LessonLog, event: LessonEvent): Promise<LessonChangeDocument> {
  const { added, evaluation } = await addEvents(log, [event]);
  const digest = digestJson(event);
  return {
    format: 'lesson-change@1',
    ...BASIS,
    at: event.at,
    event: digest,
    is_new: added > 0,
    transitions: evaluation.transitions.filter(({ lineage }) => lineage.cause === digest),
    states: stateCounts(evaluation.lessons),
  };
}
