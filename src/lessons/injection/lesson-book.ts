import { canonicalJson } from '../../core/canonical-json.js';
import { type Digest, digestText } from '../../core/digest.js';
import { RecallMatrixError } from '../../core/errors.js';
import type { LessonBook, RunLessons } from '../../experiment/experiment.js';
import { evaluateLessons } from '../evaluate.js';
import { readLessonLog } from '../log.js';
import { type LessonProjection, projectionOf } from '../projection.js';
import { LessonLines } from './lesson-lines.js';
import { restoreProjection } from './restore-projection.js';

/**
 * The lessons of a log, for runs: evaluated once, when a run begins, up to the last event that the log has.
 *
 * @param folder absolute.
 * @param isNamed whether the user named it: one that nobody named need not be there.
 */
export function lessonBook(folder: string, isNamed: boolean): LessonBook {
  return {
    isNamed,
    read: async () => {
      try {
        const { events } = await readLessonLog(folder);
        return runLessons(projectionOf(evaluateLessons(events).lessons).projection);
      } catch (error) {
        if (!isNamed && error instanceof RecallMatrixError && error.code === 'LESSON_LOG_MISSING')
          return runLessons(projectionOf([]).projection);
        throw error;
      }
    },
    restore: (text, file) => runLessons(restoreProjection(text, file)),
  };
}

function runLessons(projection: LessonProjection): RunLessons {
  const lines = new LessonLines(projection);
  const text = canonicalJson(projection);
  return {
    digest: digestText(text),
    text,
    count: projection.lessons.length,
    of_unknown_origin: projection.lessons.filter(({ learnt_from }) => learnt_from.length === 0).length,
    linesFor: (corpus, question) => lines.linesFor(corpus, question),
    learntFrom: (corpus: Digest) =>
      new Set(
        projection.lessons
          .filter(({ fingerprint }) => fingerprint.scope.corpus === corpus)
          .flatMap(({ learnt_from }) => learnt_from),
      ),
  };
}
