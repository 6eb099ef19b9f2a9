import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { canonicalJson } from '../../core/canonical-json.js';
import { failure, imported, MISSED, trial } from '../bootstrap/sample-events.js';
import { LOG_FILE } from '../log.js';
import { lessonBook } from './lesson-book.js';

async function logOf(lines: readonly string[]): Promise<string> {
  const folder = join(await temporaryFolder(), 'lessons');
  await mkdir(folder);
  await writeFile(join(folder, LOG_FILE), lines.map((line) => `${line}\n`).join(''));
  return folder;
}

const VERIFIED = [failure(0, trial('r1')), failure(1, trial('r2', 'harbour/q2'))].map((event) => canonicalJson(event));
const { corpus } = MISSED.scope;

describe('LE-6 the lessons of a log, for runs', () => {
  it('LE-6 knows of each what questions it was learnt from, and of an imported one that nobody knows', async () => {
    const learnt = await lessonBook(await logOf(VERIFIED), true).read(() => {});
    expect(learnt).toMatchObject({ count: 1, of_unknown_origin: 0 });
    expect([...learnt.learntFrom(corpus)]).toEqual(['harbour/q1', 'harbour/q2']);
    expect([...learnt.learntFrom(`sha256:${'0'.repeat(64)}`)]).toEqual([]);
    const brought = await lessonBook(await logOf([canonicalJson(imported(0, 'enforced'))]), true).read(() => {});
    expect(brought).toMatchObject({ count: 1, of_unknown_origin: 1 });
    // A failure that was observed since says nothing of those that it was imported for.
    const since = [imported(0, 'enforced'), failure(1, trial('r1'))].map((event) => canonicalJson(event));
    const known = await lessonBook(await logOf(since), true).read(() => {});
    expect(known).toMatchObject({ count: 1, of_unknown_origin: 1 });
    expect([...known.learntFrom(corpus)]).toEqual(['harbour/q1']);
  });

  it('LE-6 tells of a torn last line and leaves it out; a broken line before it stops the run', async () => {
    const folder = await logOf(VERIFIED);
    const whole = await lessonBook(folder, true).read(() => expect.fail());
    await appendFile(join(folder, LOG_FILE), '{"at":"2026');
    const notes: string[] = [];
    const torn = await lessonBook(folder, true).read((text) => notes.push(text));
    expect(torn.digest).toBe(whole.digest);
    expect(notes).toEqual(['the last line of the log of lessons is torn: 11 bytes, left out']);
    await appendFile(join(folder, LOG_FILE), '\n');
    await expect(lessonBook(folder, true).read(() => {})).rejects.toThrow();
  });

  it('LE-6 before the first harvest there are none', async () => {
    const folder = join(await temporaryFolder(), 'lessons');
    expect(await lessonBook(folder, true).read(() => {})).toMatchObject({ count: 0 });
  });
});
