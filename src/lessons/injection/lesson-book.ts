import { canonicalJson } from '../../core/canonical-json.js';
import { type Digest, digestText } from '../../core/digest.js';
import { RecallMatrixError } from '../../core/errors.js';
import type { LessonBook, RunLessons } from '../../experiment/experiment.js';
import { evaluateLessons } from '../evaluate.js';
import type { LessonEvent } from '../lesson-event.js';
import { readLessonLog } from '../log.js';
import { type LessonProjection, projectionOf } from '../projection.js';
import { LessonLines } from './lesson-lines.js';
import { lessonText } from './lesson-text.js';
import { restoreProjection } from './restore-projection.js';

/**
 * The lessons of a log, for runs: evaluated once, when a run begins, up to the last event that the log has. Before the first harvest there is none, so
 * that one command can run every night.
 *
 * @param folder absolute.
 * @param isNamed whether the user named it.
 */
export function lessonBook(folder: string, isNamed: boolean): LessonBook {
  return {
    folder,
    isNamed,
    read: async (note) => runLessons(projectionOf(evaluateLessons(await eventsIn(folder, note)).lessons).projection),
    restore: (text, file) => runLessons(restoreProjection(text, file)),
  };
}

async function eventsIn(folder: string, note: (text: string) => void): Promise<readonly LessonEvent[]> {
  try {
    const { events, torn_bytes } = await readLessonLog(folder);
    if (torn_bytes > 0) note(`the last line of the log of lessons is torn: ${torn_bytes} bytes, left out`);
    return events;
  } catch (error) {
    if (error instanceof RecallMatrixError && error.code === 'LESSON_LOG_MISSING') return [];
    throw error;
  }
}

function runLessons(projection: LessonProjection): RunLessons {
  const lines = new LessonLines(projection);
  const text = canonicalJson(projection);
  const texts = new Map(projection.lessons.map(({ lesson, fingerprint }) => [lesson, lessonText(fingerprint)]));
  return {
    digest: digestText(text),
    text,
    count: projection.lessons.length,
    of_unknown_origin: projection.lessons.filter(({ is_imported }) => is_imported).length,
    textOf: (lesson) => texts.get(lesson) ?? null,
    linesFor: (corpus, question) => lines.linesFor(corpus, question),
    learntFrom: (corpus: Digest) =>
      new Set(
        projection.lessons
          .filter(({ fingerprint }) => fingerprint.scope.corpus === corpus)
          .flatMap(({ learnt_from }) => learnt_from),
      ),
  };
}
