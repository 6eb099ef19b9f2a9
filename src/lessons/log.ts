import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { canonicalJson } from '../core/canonical-json.js';
import type { Clock } from '../core/clock.js';
import { type Digest, digestJson } from '../core/digest.js';
import {
  ensureFolder,
  PRIVATE_FILE_MODE,
  PRIVATE_FOLDER_MODE,
  readBounded,
  syncFolder,
} from '../core/durable-files.js';
import { internalFault, invalidInput, messageOf } from '../core/errors.js';
import type { LessonEvent } from './lesson-event.js';
import { lockLog } from './log-lock.js';
import { readLessonEvents } from './read-events.js';

/** The log's name in the folder that `--lessons` names. */
export const LOG_FILE = 'lessons.jsonl';

/** A log is read whole, since every event may bear on every lesson; the longest text that a program of this kind can hold is a little more. */
const MOST_BYTES = 400 * 1024 * 1024;
const LINES_A_WRITE = 1000;

/** What a log holds. */
export interface LogContent {
  readonly path: string;
  /** In the order of the file, which means nothing (LE-1). */
  readonly events: readonly LessonEvent[];
  /** Bytes after the last whole line, which a crash tore off; 0 for a clean end. They are no event: nobody was told that it is there. */
  readonly torn_bytes: number;
}

/** What became of events that were to be added. */
export interface Appended {
  readonly added: number;
  /** In the log already, or told twice. */
  readonly known: number;
}

/** A log that this process has for itself. */
export interface LessonLog {
  /** In the order of the file; what was added is among them. */
  readonly events: readonly LessonEvent[];
  /** Bytes that a crash had torn off, as `LogContent` says; the first event that is added cuts them off. */
  readonly torn_bytes: number;
  /** Adds the events that are not there yet, durably when it returns. */
  append(events: Iterable<LessonEvent>): Promise<Appended>;
}

/**
 * Reads the log of a folder, which a writer may be at: whole lines alone.
 *
 * @throws exit 2: `LESSON_LOG_MISSING`, `LESSON_LOG_TOO_LARGE`, and what `readLessonEvents` throws of a broken line.
 */
export async function readLessonLog(folder: string): Promise<LogContent> {
  const path = join(folder, LOG_FILE);
  const content = await readContent(path);
  if (content !== null) return content;
  throw invalidInput('LESSON_LOG_MISSING', `there is no log of lessons in ${folder}`, {
    remedy: 'harvest a run (recall-matrix lessons harvest latest), or name the folder with --lessons',
    location: { file: path },
  });
}

/**
 * Does something with a log, and lets no other process write meanwhile; makes it where it is not there.
 *
 * @throws as `readLessonLog` does of a log that is there; exit 2: `LESSON_LOG_IN_USE`, `FOLDER_NOT_WRITABLE`; exit 1: `LESSON_LOG_WRITE_FAILED`.
 */
export async function withLessonLog<T>(
  folder: string,
  world: { readonly clock: Clock; readonly signal: AbortSignal },
  work: (log: LessonLog) => Promise<T>,
): Promise<T> {
  await ensureFolder(folder, PRIVATE_FOLDER_MODE);
  const lock = await lockLog(folder, world);
  try {
    const path = join(folder, LOG_FILE);
    const content = (await readContent(path)) ?? { path, events: [], torn_bytes: 0 };
    return await work(new HeldLog(content));
  } finally {
    await lock.release();
  }
}

async function readContent(path: string): Promise<LogContent | null> {
  const bytes = await readBounded(path, MOST_BYTES, (found) =>
    invalidInput('LESSON_LOG_TOO_LARGE', `${path} has ${found} bytes; at most ${MOST_BYTES} are read`, {
      remedy: 'begin a log in another folder with --lessons',
      location: { file: path },
    }),
  );
  if (bytes === null) return null;
  // The end is found in bytes: a tear inside a character would decode to other ones.
  const end = bytes.lastIndexOf(0x0a) + 1;
  const events = readLessonEvents([{ name: path, text: bytes.toString('utf8', 0, end) }]);
  return { path, events, torn_bytes: bytes.length - end };
}

class HeldLog implements LessonLog {
  readonly torn_bytes: number;
  readonly events: LessonEvent[];
  readonly #path: string;
  readonly #known: Set<Digest>;
  #toCut: number;

  constructor({ path, events, torn_bytes }: LogContent) {
    this.#path = path;
    this.events = [...events];
    this.torn_bytes = torn_bytes;
    this.#toCut = torn_bytes;
    this.#known = new Set(events.map(digestJson));
  }

  async append(wanted: Iterable<LessonEvent>): Promise<Appended> {
    const added = new Map<Digest, LessonEvent>();
    let known = 0;
    for (const event of wanted) {
      const digest = digestJson(event);
      if (this.#known.has(digest) || added.has(digest)) known += 1;
      else added.set(digest, event);
    }
    if (added.size > 0) {
      await write(this.#path, this.#toCut, [...added.values()]);
      this.#toCut = 0;
    }
    for (const [digest, event] of added) {
      this.#known.add(digest);
      this.events.push(event);
    }
    return { added: added.size, known };
  }
}

async function write(path: string, tornBytes: number, events: readonly LessonEvent[]): Promise<void> {
  try {
    const handle = await open(path, constants.O_CREAT | constants.O_RDWR | constants.O_APPEND, PRIVATE_FILE_MODE);
    try {
      const { size } = await stat(path);
      if (tornBytes > 0) await handle.truncate(size - tornBytes);
      for (let from = 0; from < events.length; from += LINES_A_WRITE) {
        const lines = events.slice(from, from + LINES_A_WRITE).map((event) => `${canonicalJson(event)}\n`);
        await handle.appendFile(lines.join(''));
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    await syncFolder(dirname(path));
  } catch (cause) {
    throw internalFault('LESSON_LOG_WRITE_FAILED', `cannot write ${path}: ${messageOf(cause)}`, {
      remedy: 'free space on the disk, or make the file writable, and give the command again: what was there is intact',
      cause,
    });
  }
}
