import { readFileSync } from 'node:fs';

/** The judges' prompts that come with the program. */
export const JUDGE_PRESETS = ['correctness', 'strict-correctness'] as const;

/** A preset's text; null where there is none of that name. The files lie beside this module, in the source as in the build. */
export function judgePreset(name: string): string | null {
  const preset = JUDGE_PRESETS.find((known) => known === name);
  if (preset === undefined) return null;
  return readFileSync(new URL(`./prompts/${preset}.txt`, import.meta.url), 'utf8');
}
