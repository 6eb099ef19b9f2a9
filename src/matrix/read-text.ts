import type { Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Digest, digestText } from '../core/digest.js';
import { invalidInput, messageOf } from '../core/errors.js';

const TEXT_BYTES = 1_048_576;

/** A prompt as a matrix binds it. */
export interface BoundPrompt {
  /** The preset's name, or the file's name as the matrix gives it. */
  readonly name: string;
  readonly text: string;
  readonly digest: Digest;
}

/** A regular file's text, in UTF-8, its size checked before a byte is read. */
export async function readText(path: string): Promise<string> {
  const { size } = await regularFile(path);
  if (size > TEXT_BYTES) throw new Error(`it has ${size} bytes; at most ${TEXT_BYTES} are read`);
  return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
}

/**
 * A prompt: a preset, or a file's text.
 *
 * @param preset the text of a preset; null where there is none of that name.
 * @throws `PROMPT_UNREADABLE`, without a place: the caller knows which key named it.
 */
export async function readPrompt(
  name: string,
  folder: string,
  presets: readonly string[],
  preset: (name: string) => string | null,
): Promise<BoundPrompt> {
  const known = preset(name);
  if (known !== null) return { name, text: known, digest: digestText(known) };
  try {
    const text = await readText(resolve(folder, name));
    return { name, text, digest: digestText(text) };
  } catch (error) {
    throw invalidInput(
      'PROMPT_UNREADABLE',
      `${name} is neither a preset nor a file that can be read: ${messageOf(error)}`,
      {
        remedy: `use ${presets.map((one) => `\`${one}\``).join(' or ')}, or the path of a text file beside the matrix`,
      },
    );
  }
}

async function regularFile(path: string): Promise<Stats> {
  const info = await stat(path);
  if (!info.isFile()) throw new Error('it is no regular file');
  return info;
}
