import type { Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { invalidInput } from './errors.js';

const TEXT_BYTES = 1_048_576;

/**
 * A regular file's text, in UTF-8, its size checked before a byte is read.
 *
 * @throws what the file system says, `NOT_A_FILE`, or a plain error for one that is too large or not UTF-8: the caller knows what named the file.
 */
export async function readText(path: string, limitBytes = TEXT_BYTES): Promise<string> {
  const { size } = await regularFile(path);
  if (size > limitBytes) throw new Error(`it has ${size} bytes; at most ${limitBytes} are read`);
  return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
}

/**
 * A device would never end, and a pipe would wait for ever: neither is opened (RS-4).
 *
 * @throws `NOT_A_FILE` (exit 2), or what the file system says.
 */
export async function regularFile(path: string): Promise<Stats> {
  const info = await stat(path);
  if (info.isFile()) return info;
  throw invalidInput('NOT_A_FILE', `${path} is no regular file`, {
    location: { file: path },
    remedy: 'name a file, no folder, pipe or device',
  });
}
