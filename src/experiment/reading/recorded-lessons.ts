import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digestText } from '../../core/digest.js';
import { invalidInput, messageOf } from '../../core/errors.js';
import { LESSONS_FILE } from '../run-folder.js';
import type { LessonBook, RunLessons } from '../run-lessons.js';
import type { RunManifest } from '../run-manifest.js';

/**
 * The lessons that a run was begun with; null where it had none, or its folder does not hold them.
 *
 * @throws `RUN_LESSONS_BROKEN` (exit 2) where the file is not what the manifest binds; what `restore` throws.
 */
export async function recordedLessons(
  folder: string,
  { lesson_projection: bound }: RunManifest,
  book: Pick<LessonBook, 'restore'>,
): Promise<RunLessons | null> {
  if (bound === null) return null;
  const path = join(folder, LESSONS_FILE);
  let text: string;
  try {
    text = (await readFile(path, 'utf8')).trimEnd();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw broken(path, messageOf(cause));
  }
  if (digestText(text) !== bound) throw broken(path, `its digest is not ${bound}`);
  return book.restore(text, path);
}

function broken(path: string, why: string): Error {
  return invalidInput('RUN_LESSONS_BROKEN', `${path} does not hold the lessons of its run: ${why}`, {
    remedy: 'restore the file from a copy, or remove it: lessons are then named by their ids alone',
  });
}
