import { resolve } from 'node:path';
import { type Digest, digestText } from '../core/digest.js';
import { invalidInput, messageOf } from '../core/errors.js';
import { readText } from '../core/text-file.js';

/** A prompt as a matrix binds it. */
export interface BoundPrompt {
  /** The preset's name, or the file's name as the matrix gives it. */
  readonly name: string;
  readonly text: string;
  readonly digest: Digest;
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
