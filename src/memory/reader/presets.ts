import { readFileSync } from 'node:fs';

/** The prompts that come with the program. */
export const READER_PRESETS = ['short-answer'] as const;

/** A preset's text; null where there is none of that name. The files lie beside this module, in the source as in the build. */
export function readerPreset(name: string): string | null {
  const preset = READER_PRESETS.find((known) => known === name);
  if (preset === undefined) return null;
  return readFileSync(new URL(`./prompts/${preset}.txt`, import.meta.url), 'utf8');
}
