import { z } from 'zod';
import { invalidInput, messageOf, type RecallMatrixError } from '../../core/errors.js';
import { fingerprintSchema, lessonOf } from '../fingerprint.js';
import type { LessonProjection } from '../projection.js';
import { digest, id, instant } from '../values.js';

/** A kept projection holds what general retrieval may show, and nothing else, whoever wrote it (LE-4). */
const keptSchema = z.strictObject({
  format: z.literal('lesson-projection@1'),
  evaluator: z.string(),
  rules: z.string(),
  profile_digest: digest,
  calibrated: z.literal(false),
  lessons: z.array(
    z
      .strictObject({
        lesson: digest,
        fingerprint: fingerprintSchema,
        state: z.enum(['verified', 'enforced']),
        first_observed_at: instant,
        since: instant,
        is_imported: z.boolean(),
        learnt_from: z.array(id),
      })
      .refine(
        ({ lesson, fingerprint }) => lesson === lessonOf(fingerprint),
        'expected the id that its fingerprint gives',
      ),
  ),
});

/**
 * Reads the projection that a run has kept.
 *
 * @throws `LESSON_PROJECTION_BROKEN` (exit 2).
 */
export function restoreProjection(text: string, file: string): LessonProjection {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw broken(file, `not JSON: ${messageOf(cause)}`);
  }
  const parsed = keptSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw broken(file, `${issue?.path.join('.') || 'the file'}: ${issue?.message}`);
}

function broken(file: string, why: string): RecallMatrixError {
  return invalidInput('LESSON_PROJECTION_BROKEN', `${file} does not hold the lessons that a run was shown: ${why}`, {
    remedy: 'restore the run folder, or start a new run',
    location: { file },
  });
}
