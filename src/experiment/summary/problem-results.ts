import { kindOf, messageOf, RecallMatrixError } from '../../core/errors.js';
import type { FixtureOutline } from '../../fixture/fixture.js';
import type { ProblemResult } from '../experiment.js';

interface Failed {
  readonly fixture: FixtureOutline;
  readonly errors: readonly { readonly error: unknown; readonly arm: string | null }[];
}

/** What went wrong with a fixture, for people and for jobs. */
export function problemResults({ fixture, errors }: Failed): ProblemResult[] {
  return distinctProblems(
    errors.map(({ error, arm }) => {
      const known = error instanceof RecallMatrixError ? error : null;
      return {
        kind: kindOf(error),
        code: known?.code ?? 'UNEXPECTED',
        message: messageOf(error),
        remedy: known?.remedy ?? null,
        fixture: fixture.manifest.id,
        arm,
      };
    }),
  );
}

/** Each different problem once, with where it was met first. */
export function distinctProblems(all: readonly ProblemResult[]): ProblemResult[] {
  const seen = new Map<string, ProblemResult>();
  for (const problem of all) {
    const key = `${problem.code}\0${problem.message}\0${problem.arm}`;
    if (!seen.has(key)) seen.set(key, problem);
  }
  return [...seen.values()];
}
