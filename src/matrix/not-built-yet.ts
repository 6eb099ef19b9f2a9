import { invalidInput, type RecallMatrixError } from '../core/errors.js';
import type { YamlPath, YamlSource } from '../core/yaml-source.js';
import type { AuthoredMatrix } from './matrix-schema.js';

/** Faults for what the matrix format names and this version does not build: refused, never ignored (exit 2). */
export function notBuiltYet(source: YamlSource, matrix: AuthoredMatrix): RecallMatrixError[] {
  const faults: RecallMatrixError[] = [];
  const refuse = (path: YamlPath, what: string): void => {
    faults.push(
      invalidInput('NOT_BUILT_YET', `${what} is not built yet`, {
        location: source.locate(path),
        remedy: 'leave it out; docs/open-requirements.md lists what is still to come',
      }),
    );
  };
  matrix.arms.forEach((arm, index) => {
    if (arm.recall === 'deliberate') refuse(['arms', index, 'recall'], '`recall: deliberate`');
  });
  return faults;
}
