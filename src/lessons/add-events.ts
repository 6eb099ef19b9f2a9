import { invalidInput } from '../core/errors.js';
import { evaluateLessons } from './evaluate.js';
import { type LessonEvent, lessonEventSchema } from './lesson-event.js';
import type { LessonEvaluation } from './lessons.js';
import type { Appended, LessonLog } from './log.js';

/**
 * Adds events to a log that tells a single story with them, and nothing where it would not: a log that an evaluator refuses could never be used again.
 *
 * @throws as `evaluateLessons` does of the log with the events, before anything is written; as `LessonLog.append` does.
 */
export async function addEvents(
  log: LessonLog,
  events: readonly LessonEvent[],
): Promise<Appended & { readonly evaluation: LessonEvaluation }> {
  const evaluation = evaluateLessons([...log.events, ...events]);
  return { ...(await log.append(events)), evaluation };
}

/** An event of a person's words, checked as any line is. @throws `LESSON_EVENT_INVALID` (exit 2). */
export function checkedEvent(event: LessonEvent): LessonEvent {
  const parsed = lessonEventSchema.safeParse(event);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(
    ({ path, message }) => `${path.map(String).join('.') || 'the event'}: ${message}`,
  );
  throw invalidInput('LESSON_EVENT_INVALID', issues.join('; '), {
    remedy: 'give a name on one line, a reason in lower-case words joined by hyphens, and a guard by its digest',
  });
}
