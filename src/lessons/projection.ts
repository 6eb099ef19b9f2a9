import { type Digest, digestJson } from '../core/digest.js';
import { EVALUATOR_VERSION, type Lesson, RULE_VERSION } from './lessons.js';
import { PAPER_PROFILE, type ThresholdProfile } from './threshold-profile.js';
import { retrievableLessons } from './visibility.js';

/** All that retrieval reads of lessons (`lesson-projection@1`): nothing that it may not show is in it (LE-4). */
export interface LessonProjection {
  readonly format: 'lesson-projection@1';
  readonly evaluator: string;
  readonly rules: string;
  readonly profile_digest: Digest;
  readonly calibrated: false;
  /** By id. */
  readonly lessons: readonly Lesson[];
}

/** The projection of lessons that were evaluated under a profile. Its digest is that of its canonical JSON. */
export function projectionOf(
  lessons: readonly Lesson[],
  profile: ThresholdProfile = PAPER_PROFILE,
): { readonly projection: LessonProjection; readonly digest: Digest } {
  const projection: LessonProjection = {
    format: 'lesson-projection@1',
    evaluator: EVALUATOR_VERSION,
    rules: RULE_VERSION,
    profile_digest: digestJson(profile),
    calibrated: profile.calibrated,
    lessons: retrievableLessons(lessons),
  };
  return { projection, digest: digestJson(projection) };
}
