import type { RunResult } from '../experiment/experiment.js';

/** How many questions of a run lessons were learnt from (LE-6). */
export function inSampleQuestions({ lessons }: Pick<RunResult, 'lessons'>): number {
  return (lessons?.in_sample ?? []).reduce((sum, { questions }) => sum + questions.length, 0);
}
