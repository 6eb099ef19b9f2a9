import { isUtf8 } from 'node:buffer';
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
import { internalFault, invalidInput, messageOf, RecallMatrixError } from '../core/errors.js';
import type { LessonEvent } from './lesson-event.js';
import { lockLog } from './log-lock.js';
import { compareEvents } from './order-events.js';
import { readLessonEvents } from './read-events.js';

/** The log's name in the folder that `--lessons` names. */
export const LOG_FILE = 'lessons.jsonl';

/** A log is read whole, since every event may bear on every lesson: these are some 250,000 events, which take some 2 GB of memory and half a minute. */
export const LOG_LIMIT_BYTES = 128 * 1024 * 1024;
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
 * @throws exit 2: `LESSON_LOG_MISSING`, `LESSON_LOG_UNREADABLE`, `LESSON_LOG_TOO_LARGE`, and what `readLessonEvents` throws of a broken line.
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
 * @param mostBytes what the log may grow to; a test says less.
 * @throws as `readLessonLog` does of a log that is there; exit 2: `LESSON_LOG_IN_USE`, `FOLDER_NOT_WRITABLE`; exit 1: `LESSON_LOG_WRITE_FAILED`.
 */
export async function withLessonLog<T>(
  folder: string,
  world: { readonly clock: Clock; readonly signal: AbortSignal },
  work: (log: LessonLog) => Promise<T>,
  mostBytes = LOG_LIMIT_BYTES,
): Promise<T> {
  await ensureFolder(folder, PRIVATE_FOLDER_MODE);
  const lock = await lockLog(folder, world);
  try {
    const path = join(folder, LOG_FILE);
    const content = (await readContent(path)) ?? { path, events: [], torn_bytes: 0 };
    return await work(new HeldLog(content, mostBytes));
  } finally {
    await lock.release();
  }
}

async function readContent(path: string): Promise<LogContent | null> {
  const bytes = await readBytes(path);
  if (bytes === null) return null;
  // The end is found in bytes: a tear inside a character would decode to other ones.
  const end = bytes.lastIndexOf(0x0a) + 1;
  const whole = bytes.subarray(0, end);
  if (!isUtf8(whole)) throw noText(path, whole);
  return { path, events: readLessonEvents([{ name: path, text: whole.toString() }]), torn_bytes: bytes.length - end };
}

async function readBytes(path: string): Promise<Buffer | null> {
  try {
    return await readBounded(path, LOG_LIMIT_BYTES, (found) => tooLarge(path, `has ${found} bytes`, LOG_LIMIT_BYTES));
  } catch (cause) {
    if (cause instanceof RecallMatrixError) throw cause;
    throw invalidInput('LESSON_LOG_UNREADABLE', `cannot read ${path}: ${messageOf(cause)}`, {
      remedy: 'name the folder of a log with --lessons, and make the log readable',
      location: { file: path },
      cause,
    });
  }
}

/** The first line with a byte that no text has: decoded, it would be another event, and no fault. */
function noText(path: string, bytes: Buffer): Error {
  let line = 1;
  let from = 0;
  for (let to = bytes.indexOf(0x0a); to >= 0 && isUtf8(bytes.subarray(from, to)); to = bytes.indexOf(0x0a, from)) {
    from = to + 1;
    line += 1;
  }
  return invalidInput('LESSON_EVENT_INVALID', 'not UTF-8', {
    location: { file: path, line },
    remedy: 'restore the line from a copy, or take it out',
  });
}

class HeldLog implements LessonLog {
  readonly torn_bytes: number;
  readonly events: LessonEvent[];
  readonly #path: string;
  readonly #known: Set<Digest>;
  #toCut: number;

  constructor(
    { path, events, torn_bytes }: LogContent,
    private readonly mostBytes: number,
  ) {
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
      // A crash leaves some first part of them: in this order it tells a story of its own, whichever it is.
      const story = [...added].map(([digest, event]) => ({ digest, event })).sort(compareEvents);
      const lines = story.map(({ event }) => `${canonicalJson(event)}\n`);
      await this.#refuseGrowth(lines);
      await write(this.#path, this.#toCut, lines);
      this.#toCut = 0;
    }
    for (const [digest, event] of added) {
      this.#known.add(digest);
      this.events.push(event);
    }
    return { added: added.size, known };
  }

  /** A log that cannot be read any more would be lost with all that is in it. */
  async #refuseGrowth(lines: readonly string[]): Promise<void> {
    const before = await stat(this.#path).catch(() => null);
    const size = lines.reduce((sum, line) => sum + Buffer.byteLength(line), before?.size ?? 0);
    if (size > this.mostBytes) throw tooLarge(this.#path, `would have ${size} bytes`, this.mostBytes);
  }
}

function tooLarge(path: string, what: string, most: number): Error {
  return invalidInput('LESSON_LOG_TOO_LARGE', `${path} ${what}; at most ${most} are read`, {
    remedy: 'begin a log in another folder with --lessons',
    location: { file: path },
  });
}

async function write(path: string, tornBytes: number, lines: readonly string[]): Promise<void> {
  try {
    const handle = await open(path, constants.O_CREAT | constants.O_RDWR | constants.O_APPEND, PRIVATE_FILE_MODE);
    try {
      const { size } = await stat(path);
      if (tornBytes > 0) await handle.truncate(size - tornBytes);
      for (let from = 0; from < lines.length; from += LINES_A_WRITE)
        await handle.appendFile(lines.slice(from, from + LINES_A_WRITE).join(''));
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
