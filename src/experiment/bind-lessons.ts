import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { counted } from '../core/counted.js';
import { digestText } from '../core/digest.js';
import { invalidInput, messageOf, type RecallMatrixError } from '../core/errors.js';
import type { LoadedMatrix } from '../matrix/matrix.js';
import type { Progress } from './experiment.js';
import { LESSONS_FILE } from './run-folder.js';
import type { LessonBook, RunLessons } from './run-lessons.js';
import type { RunManifest } from './run-manifest.js';

interface Told {
  readonly lessons: LessonBook;
  readonly progress: Progress;
}

/** The lessons of a new run: what the book says now, read once; null where no arm injects any, and no log is looked at. */
export async function lessonsNow(
  { matrix }: LoadedMatrix,
  { lessons: book, progress }: Told,
): Promise<RunLessons | null> {
  const note = noting(progress);
  if (matrix.arms.every(({ context }) => context === undefined)) {
    if (book.isNamed) note('no arm injects lessons: --lessons changes nothing');
    return null;
  }
  const lessons = await book.read(note);
  note(
    `${book.folder} has ${counted(lessons.count, 'lesson')} verified or enforced, injected where a question matches`,
  );
  return lessons;
}

/**
 * The lessons that a run has kept; null where it had none.
 *
 * @throws `RUN_LESSONS_CHANGED` (exit 2) where they are not what its manifest binds.
 */
export async function keptLessons(
  path: string,
  { run, lesson_projection: bound }: RunManifest,
  book: LessonBook,
): Promise<RunLessons | null> {
  if (bound === null) return null;
  const file = join(path, LESSONS_FILE);
  let text: string;
  try {
    text = (await readFile(file, 'utf8')).trimEnd();
  } catch (cause) {
    throw changed(run, `${file} cannot be read: ${messageOf(cause)}`);
  }
  if (digestText(text) !== bound) throw changed(run, `${file} is not the projection ${bound}`);
  return book.restore(text, file);
}

/**
 * The lessons that a run goes on with: those that it has kept, whatever the log says since; the book's where an added arm is the first to inject any.
 *
 * @throws `RUN_LESSONS_CHANGED` (exit 2), also where a book is named that says something else.
 */
export async function lessonsOfContinued(
  loaded: LoadedMatrix,
  path: string,
  manifest: RunManifest,
  told: Told,
): Promise<RunLessons | null> {
  const { lessons: book } = told;
  const kept = await keptLessons(path, manifest, book);
  if (kept === null) return lessonsNow(loaded, told);
  const named = book.isNamed ? await book.read(noting(told.progress)) : kept;
  if (named.digest === kept.digest) return kept;
  throw changed(manifest.run, `the lessons that are named now make the projection ${named.digest}`);
}

function noting(progress: Progress): (text: string) => void {
  return (text) => progress({ kind: 'note', text });
}

function changed(run: string, how: string): RecallMatrixError {
  return invalidInput('RUN_LESSONS_CHANGED', `${run} was begun with other lessons: ${how}`, {
    remedy: 'leave --lessons out, restore the run folder, or start a new run',
  });
}
