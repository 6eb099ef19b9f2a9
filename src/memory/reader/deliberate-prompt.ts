import { readFileSync } from 'node:fs';
import { digestText } from '../../core/digest.js';
import type { ReaderPrompt } from './reader.js';

let protocol: string | null = null;

/**
 * A reader's prompt with the protocol of its searches behind it (RT-8): any prompt will do, a preset or a file of the user's own. Its digest is
 * that of the whole text.
 */
export function deliberatePrompt({ name, text }: ReaderPrompt): ReaderPrompt {
  protocol ??= readFileSync(new URL('./prompts/deliberate-recall.txt', import.meta.url), 'utf8');
  const whole = `${text.trimEnd()}\n\n${protocol}`;
  return { name, text: whole, digest: digestText(whole) };
}
