import { shellWord } from '../../core/shell-word.js';

/** The exact command that continues a run (CL-3), ready to be pasted into a shell. */
export function resumeCommand(folder: string, flags: readonly string[] = []): string {
  return ['recall-matrix run --resume', shellWord(folder), ...flags].join(' ');
}
