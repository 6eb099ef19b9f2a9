import { appendFile, readFile, stat, symlink, truncate, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useBundledChild } from '../../test/support/bundled-child.js';
import { finish, releaseTogether, startLogWriter, untilLine } from '../../test/support/log-writers.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { manualClock, systemClock } from '../core/clock.js';
import { lockForProcess } from '../core/process-lock.js';
import { evaluation, failure, success, trial } from './bootstrap/sample-events.js';
import { evaluateLessons } from './evaluate.js';
import { LOG_FILE, readLessonLog, withLessonLog } from './log.js';

const program = useBundledChild('log-writer-child');
const world = { clock: systemClock, signal: new AbortController().signal };
const events = [evaluation(1), evaluation(2), evaluation(3)];

async function logOf(...appended: readonly (typeof events)[]): Promise<{ folder: string; path: string }> {
  const folder = join(await temporaryFolder(), 'lessons');
  for (const some of appended) await withLessonLog(folder, world, (log) => log.append(some));
  return { folder, path: join(folder, LOG_FILE) };
}

describe('the log of lesson events', () => {
  it('LE-6 holds each event once, whoever adds it again, in a private file of canonical lines', async () => {
    const { folder, path } = await logOf(events.slice(0, 2), events);
    expect((await readLessonLog(folder)).events).toEqual(events);
    expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(4);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const told = await withLessonLog(folder, world, (log) => log.append([...events, evaluation(4), evaluation(4)]));
    expect(told).toEqual({ added: 1, known: 4 });
  });

  it('LE-6 what is not there is refused where it is read, and made where it is written', async () => {
    const folder = join(await temporaryFolder(), 'none');
    await expect(readLessonLog(folder)).rejects.toMatchObject({ code: 'LESSON_LOG_MISSING', exitCode: 2 });
  });

  it('LE-6 a torn last line is reported and left out, and cut off before the next event', async () => {
    const { folder, path } = await logOf(events.slice(0, 2));
    const whole = await readFile(path);
    await appendFile(path, whole.subarray(0, 30));
    const torn = await readLessonLog(folder);
    expect(torn).toMatchObject({ events: events.slice(0, 2), torn_bytes: 30 });
    await withLessonLog(folder, world, (log) => log.append(events));
    expect(await readLessonLog(folder)).toMatchObject({ events, torn_bytes: 0 });
  });

  it('LE-6 a broken line in the middle stops with its number, for readers and writers, and stays as it is', async () => {
    const { folder, path } = await logOf(events);
    const lines = (await readFile(path, 'utf8')).split('\n');
    const broken = [lines[0], `${lines[1]?.slice(0, 30)}`, ...lines.slice(2)].join('\n');
    await writeFile(path, broken);
    for (const stopped of [readLessonLog(folder), withLessonLog(folder, world, (log) => log.append(events))])
      await expect(stopped).rejects.toMatchObject({
        errors: [{ code: 'LESSON_EVENT_INVALID', location: { file: path, line: 2 } }],
      });
    expect(await readFile(path, 'utf8')).toBe(broken);
  });

  it('LE-6 a byte that is no text stops with its line: it would be read as another name', async () => {
    const { folder, path } = await logOf(events, [failure(4, trial('r1'))]);
    const bytes = await readFile(path);
    bytes[bytes.indexOf('Rosa')] = 0xff;
    await writeFile(path, bytes);
    await expect(readLessonLog(folder)).rejects.toMatchObject({
      code: 'LESSON_EVENT_INVALID',
      location: { file: path, line: 4 },
    });
  });

  it('LE-6 what cannot be read is named: a file in the place of the folder, a link to itself', async () => {
    const { folder, path } = await logOf(events);
    const refusal = { code: 'LESSON_LOG_UNREADABLE', exitCode: 2, location: { file: path } };
    await expect(readLessonLog(path)).rejects.toMatchObject({ code: 'LESSON_LOG_UNREADABLE', exitCode: 2 });
    await unlink(path);
    await symlink(LOG_FILE, path);
    await expect(readLessonLog(folder)).rejects.toMatchObject(refusal);
    await expect(withLessonLog(folder, world, (log) => log.append(events))).rejects.toMatchObject(refusal);
  });

  it('LE-6 is written in the order of its story, so that what a crash leaves of it still tells one', async () => {
    const told = [evaluation(9), success(2, trial('r2')), success(2, trial('r3')), failure(1, trial('r1'))];
    const { events: found } = await readLessonLog((await logOf(told)).folder);
    expect(found).toHaveLength(told.length);
    for (let left = 0; left <= found.length; left += 1)
      expect(() => evaluateLessons(found.slice(0, left))).not.toThrow();
  });

  it('LE-6 waits for another writer a bounded time, and then names it', async () => {
    const { folder } = await logOf(events);
    const refusals = { inUse: () => new Error('in use'), broken: () => new Error('broken') };
    const held = await lockForProcess(join(folder, 'lessons.lock'), systemClock.now(), refusals);
    const impatient = { ...world, clock: manualClock() };
    const refused = withLessonLog(folder, impatient, (log) => log.append(events));
    await expect(refused).rejects.toMatchObject({ code: 'LESSON_LOG_IN_USE', exitCode: 2 });
    await expect(refused).rejects.toThrow(`process ${process.pid}`);
    expect(impatient.clock.monotonicMs()).toBeGreaterThanOrEqual(60_000);
    await held.release();
    await withLessonLog(folder, impatient, (log) => log.append(events));
  });

  it('LE-6 a log that would grow beyond what is read is not added to, and one that has is refused before it is read', async () => {
    const { folder, path } = await logOf(events.slice(0, 2));
    const { size } = await stat(path);
    const most = size + 10;
    const refused = withLessonLog(folder, world, (log) => log.append(events), most);
    await expect(refused).rejects.toMatchObject({ code: 'LESSON_LOG_TOO_LARGE', exitCode: 2 });
    expect((await readLessonLog(folder)).events).toEqual(events.slice(0, 2));
    expect(await withLessonLog(folder, world, (log) => log.append(events.slice(0, 2)), most)).toMatchObject({
      added: 0,
    });
    await truncate(path, 2 ** 27 + 1);
    await expect(readLessonLog(folder)).rejects.toMatchObject({ code: 'LESSON_LOG_TOO_LARGE', exitCode: 2 });
  });

  it('LE-6 two processes that write at once: each event once, none lost', async () => {
    const folder = join(await temporaryFolder(), 'lessons');
    const writers = [
      startLogWriter(program(), folder, { from: 0, to: 40 }),
      startLogWriter(program(), folder, { from: 20, to: 60 }),
    ];
    await releaseTogether(writers);
    for (const writer of writers) expect(await finish(writer)).toBe(0);
    const { events: found } = await readLessonLog(folder);
    const days = found.map(({ at }) => at);
    expect(days).toHaveLength(60);
    expect(new Set(days).size).toBe(60);
    expect([...days].sort()).toEqual(Array.from({ length: 60 }, (_, day) => evaluation(day).at).sort());
  });

  it('LE-6 a writer that is killed loses nothing that it was told is there, and leaves the log to the next', async () => {
    const folder = join(await temporaryFolder(), 'lessons');
    const writer = startLogWriter(program(), folder, { from: 0, to: 100_000 });
    await releaseTogether([writer]);
    const acknowledged = Number(await untilLine(writer, (line) => Number(line) >= 5));
    writer.kill('SIGKILL');
    await finish(writer);
    const { events: left } = await readLessonLog(folder);
    const days = new Set(left.map(({ at }) => at));
    for (let day = 0; day <= acknowledged; day += 1) expect(days).toContain(evaluation(day).at);
    const { added } = await withLessonLog(folder, world, (log) => log.append([evaluation(100_001)]));
    expect(added).toBe(1);
    expect((await readLessonLog(folder)).events).toHaveLength(left.length + 1);
  });
});
