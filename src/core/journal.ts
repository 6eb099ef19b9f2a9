import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { canonicalJson, type JsonValue } from './canonical-json.js';
import { PRIVATE_FILE_MODE, syncFolder } from './durable-files.js';
import { internalFault, messageOf } from './errors.js';

/** An append-only file of JSON lines. `append` returns when the line is on the disk; appends that wait together share one sync. */
export interface Journal {
  readonly path: string;
  /** Adds a line, durably. Lines keep the order of the calls. After a failed write every later append fails as well. */
  append(entry: JsonValue): Promise<void>;
  close(): Promise<void>;
}

/** What a journal file holds. */
export interface JournalContent {
  readonly entries: readonly JsonValue[];
  /** Bytes after the last whole line: what a crash tore off while a line was written; 0 for a clean end. */
  readonly tornBytes: number;
}

interface Waiting {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Opens a journal for appending.
 *
 * @param mode `create` refuses an existing file (EEXIST); `append` needs one, whose torn end, if any, is cut off first.
 */
export async function openJournal(path: string, mode: 'create' | 'append'): Promise<Journal> {
  const exclusive = mode === 'create' ? constants.O_CREAT | constants.O_EXCL : 0;
  if (mode === 'append') await cutTornEnd(path);
  const handle = await open(path, constants.O_WRONLY | constants.O_APPEND | exclusive, PRIVATE_FILE_MODE);
  try {
    if (mode === 'create') await syncFolder(dirname(path));
  } catch (error) {
    await handle.close();
    throw error;
  }
  return new FileJournal(path, handle);
}

/** Reads a journal's whole lines. A line that is no JSON (other than a torn last one) throws `SyntaxError`. */
export async function readJournal(path: string): Promise<JournalContent> {
  const handle = await open(path, constants.O_RDONLY);
  try {
    // The end is found in bytes: a tear inside a character would decode to more bytes than there are.
    const bytes = await handle.readFile();
    const end = bytes.lastIndexOf(0x0a) + 1;
    const entries = bytes
      .toString('utf8', 0, end)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as JsonValue);
    return { entries, tornBytes: bytes.length - end };
  } finally {
    await handle.close();
  }
}

async function cutTornEnd(path: string): Promise<void> {
  const { tornBytes } = await readJournal(path);
  if (tornBytes === 0) return;
  const info: Stats = await stat(path);
  const handle = await open(path, constants.O_RDWR);
  try {
    await handle.truncate(info.size - tornBytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

class FileJournal implements Journal {
  readonly path: string;
  readonly #handle: FileHandle;
  #waiting: Waiting[] = [];
  #flushing: Promise<void> | null = null;
  #failure: unknown = null;
  #closed = false;

  constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  append(entry: JsonValue): Promise<void> {
    if (this.#closed) return Promise.reject(internalFault('JOURNAL_CLOSED', `${this.path} is closed`));
    if (this.#failure !== null) return Promise.reject(this.#failure);
    const line = `${canonicalJson(entry)}\n`;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line, resolve, reject });
      this.#flushing ??= this.#flush();
    });
  }

  async #flush(): Promise<void> {
    // Let every append of this turn of the event loop join the first write.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        if (this.#failure !== null) throw this.#failure;
        await this.#handle.appendFile(batch.map((waiting) => waiting.line).join(''));
        await this.#handle.datasync();
        for (const waiting of batch) waiting.resolve();
      } catch (cause) {
        this.#failure ??= internalFault('JOURNAL_WRITE_FAILED', `cannot write ${this.path}: ${messageOf(cause)}`, {
          remedy: 'free space on the disk, or make the folder writable; what was written before is intact',
          cause,
        });
        for (const waiting of batch) waiting.reject(this.#failure);
      }
    }
    this.#flushing = null;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#flushing;
    await this.#handle.close();
  }
}
