import { digestText } from '../../src/core/digest.js';
import { type Fingerprint, lessonOf } from '../../src/lessons/fingerprint.js';
import type { LessonProjection } from '../../src/lessons/projection.js';

/** A projection of one verified lesson, learnt from some questions about some subjects. */
export function sampleProjection(learnt_from: readonly string[], subjects: readonly string[]): LessonProjection {
  const fingerprint: Fingerprint = {
    format: 'lesson-fingerprint@1',
    stage: 'recall',
    failure: 'not-retrieved',
    error_code: null,
    strategy: 'bm25',
    scope: { corpus: digestText('corpus'), subjects: [...subjects], asks: 'when' },
  };
  const since = '2026-01-01T00:00:00.000Z';
  return {
    format: 'lesson-projection@1',
    evaluator: 'evaluator@1',
    rules: 'rules@1',
    profile_digest: digestText('profile'),
    calibrated: false,
    lessons: [
      {
        lesson: lessonOf(fingerprint),
        fingerprint,
        state: 'verified',
        first_observed_at: since,
        since,
        is_imported: false,
        learnt_from: [...learnt_from],
      },
    ],
  };
}
