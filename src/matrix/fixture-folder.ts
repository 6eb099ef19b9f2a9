import { basename } from 'node:path';
import type { ResolvedMatrix } from './matrix.js';

/** The folder of a fixture as its matrix gives it: its last part is the fixture's id. Undefined where the matrix names none. */
export function fixtureFolder({ fixtures }: Pick<ResolvedMatrix, 'fixtures'>, id: string): string | undefined {
  return fixtures.find((path) => basename(path) === id);
}
