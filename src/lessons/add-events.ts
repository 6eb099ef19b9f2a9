import { invalidInput } from '../core/errors.js';
import { evaluateLessons } from './evaluate.js';
import { type LessonEvent, lessonEventSchema } from './lesson-event.js';
import type { LessonEvaluation } from './lessons.js';
import type { Appended, LessonLog } from './log.js';

/**
 * Adds events to a log that tells a single story with them, and nothing where it would not: a log that an evaluator refuses, or whose lines are no
 * events, could never be used again.
 *
 * @throws `LESSON_EVENT_INVALID` (exit 2); as `evaluateLessons` does of the log with the events, before anything is written; as `LessonLog.append` does.
 */
export async function addEvents(
  log: LessonLog,
  events: readonly LessonEvent[],
): Promise<Appended & { readonly evaluation: LessonEvaluation }> {
  for (const event of events) refuseInvalid(event);
  const evaluation = evaluateLessons([...log.events, ...events]);
  return { ...(await log.append(events)), evaluation };
}

function refuseInvalid(event: LessonEvent): void {
  const parsed = lessonEventSchema.safeParse(event);
  if (parsed.success) return;
  const issues = parsed.error.issues.map(
    ({ path, message }) => `${path.map(String).join('.') || 'the event'}: ${message}`,
  );
  throw invalidInput('LESSON_EVENT_INVALID', `${event.kind} of ${event.at}: ${issues.join('; ')}`, {
    remedy:
      'give a name on one line, a reason in lower-case words joined by hyphens, a guard by its digest, and a time of four-digit years; of a run, restore its folder',
  });
}
