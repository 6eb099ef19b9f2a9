import type { AuthoredArm } from './arm-schema.js';
import type { Report } from './check-modes.js';
import type { ArmSettings } from './matrix.js';

/** The most tokens that lessons take of a context, where the matrix gives no number. */
const LESSON_TOKENS = 200;

/** An arm's lessons as they are resolved: nothing where it injects none, so that such arms keep their digests. */
export function lessonSettings({ context }: AuthoredArm): Pick<ArmSettings, 'context'> {
  if (context.lessons === 'none') return {};
  return { context: { lessons: 'inject', lesson_tokens: context.lesson_tokens ?? LESSON_TOKENS } };
}

/**
 * Refuses a budget of lessons that means nothing, or that a context does not hold (LE-6).
 *
 * @param contextTokens of every arm but `full-history`, which has no limit.
 */
export function checkLessons(arm: AuthoredArm, index: number, contextTokens: number, report: Report): void {
  const path = ['arms', index, 'context', 'lesson_tokens'];
  const tokens = lessonSettings(arm).context?.lesson_tokens;
  if (tokens === undefined && arm.context.lesson_tokens !== undefined)
    report(
      path,
      'LESSON_TOKENS_WITHOUT_LESSONS',
      `the arm ${arm.name} bounds lessons, and injects none`,
      'add `lessons: inject`, or leave `lesson_tokens` out',
    );
  if (tokens !== undefined && tokens > contextTokens && arm.retrieval.strategy !== 'full-history')
    report(
      path,
      'LESSON_TOKENS_EXCEED_CONTEXT',
      `the arm ${arm.name} gives lessons ${tokens} tokens, and its whole context has ${contextTokens}`,
      'take a smaller `lesson_tokens`, or raise `context.tokens`',
    );
}
