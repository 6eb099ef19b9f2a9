import type { RunResult } from '../experiment.js';
import type { InSample } from './in-sample.js';

/** The questions that a run's lessons were learnt from, as its result names them (LE-6); null where it has no lessons. */
export function recordedSample({ lessons }: Pick<RunResult, 'lessons'>): Pick<InSample, 'has'> | null {
  if (lessons === null) return null;
  const byFixture = new Map(lessons.in_sample.map(({ fixture, questions }) => [fixture, new Set(questions)]));
  return { has: ({ fixture, question }) => byFixture.get(fixture)?.has(question) === true };
}
