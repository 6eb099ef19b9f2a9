import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digestText } from '../../../core/digest.js';
import { LESSONS_FILE } from '../../run-folder.js';
import { RUN_FOLDER } from '../bundle-format.js';
import type { CheckedBundle } from './checked-bundle.js';

const LESSONS = `${RUN_FOLDER}/${LESSONS_FILE}`;

/** The lessons that were injected are those that the run is bound to. */
export async function checkLessons({ folder, record, findings, has }: CheckedBundle): Promise<void> {
  const { lesson_projection: bound } = record.manifest;
  if (bound === null) return;
  if (!has(LESSONS)) return findings.skipped('lessons', 'they are not in the bundle');
  const text = await readFile(join(folder, LESSONS), 'utf8');
  findings.looked('lessons by their digest');
  findings.same(LESSONS, 'the digest', digestText(text.trimEnd()), bound);
}
