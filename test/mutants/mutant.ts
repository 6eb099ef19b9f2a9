/** One deliberate fault: the rule of a requirement taken out of the code. A test of that rule must fail on it (RS-6). */
export interface Mutant {
  /** Stable, guessable: `--only` names it. */
  readonly id: string;
  /** The requirement lines or public faults whose rule it removes. */
  readonly requirement: string;
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** The test files that must fail. */
  readonly tests: readonly string[];
}

/** Says in which file and by which tests, once for all that follow. */
export function mutantsOf(
  file: string,
  tests: readonly string[],
  faults: readonly (readonly [id: string, requirement: string, find: string, replace: string])[],
): Mutant[] {
  return faults.map(([id, requirement, find, replace]) => ({ id, requirement, file, find, replace, tests }));
}
