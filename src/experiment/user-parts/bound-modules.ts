import type { Digest } from '../../core/digest.js';
import { InvalidInputErrors, invalidInput } from '../../core/errors.js';
import { pathInMatrix } from '../../matrix/load-matrix.js';
import type { LoadedMatrix } from '../../matrix/matrix.js';
import type { ModuleKind, UserModule } from '../../module/module.js';
import { moduleDigest } from '../../module/module-files.js';

/** The policy module that a matrix binds; null where its policy is built in. */
export function boundPolicy(loaded: LoadedMatrix): UserModule | null {
  const { formation } = loaded.matrix;
  if (formation?.policy_path === undefined) return null;
  return bound(loaded, 'policy', formation.policy_path, formation.policy.slice('module@'.length) as Digest);
}

/** The strategy module that an arm binds; null for every other strategy. */
export function boundStrategy(
  loaded: LoadedMatrix,
  { retrieval }: LoadedMatrix['matrix']['arms'][number],
): UserModule | null {
  const { strategy, path, digest } = retrieval;
  if (strategy !== 'module' || path === undefined || digest === undefined) return null;
  return bound(loaded, 'strategy', path, digest);
}

/** The scorer modules that a matrix binds, by their names under `scoring`. */
export function boundScorers(loaded: LoadedMatrix): ReadonlyMap<string, UserModule> {
  const scorers = Object.entries(loaded.matrix.modules?.scorers ?? {});
  return new Map(scorers.map(([name, { path, digest }]) => [name, bound(loaded, 'scorer', path, digest)]));
}

function bound(loaded: LoadedMatrix, kind: ModuleKind, path: string, digest: Digest): UserModule {
  return { kind, path, file: pathInMatrix(loaded, path), digest };
}

/**
 * Refuses modules that are not those that the matrix binds: a run that is resumed is not half another's (RT-6, MX-7).
 *
 * @throws {InvalidInputErrors} `MODULE_CHANGED` for each, or `MODULE_UNREADABLE`.
 */
export async function assertModulesUnchanged(loaded: LoadedMatrix): Promise<void> {
  const strategies = loaded.matrix.arms.map((arm) => boundStrategy(loaded, arm));
  const modules = [boundPolicy(loaded), ...strategies, ...boundScorers(loaded).values()].filter(
    (module) => module !== null,
  );
  const byFile = new Map(modules.map((module) => [module.file, module]));
  const faults = [];
  for (const { kind, path, file, digest } of byFile.values()) {
    if ((await moduleDigest(file)) === digest) continue;
    faults.push(
      invalidInput('MODULE_CHANGED', `the ${kind} module ${path} is not the one that the matrix was loaded with`, {
        location: { file },
        remedy: 'restore it, or start a new run with it',
      }),
    );
  }
  if (faults.length > 0) throw new InvalidInputErrors(faults);
}
