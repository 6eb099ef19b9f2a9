import { dirname } from 'node:path';
import type { Digest } from '../core/digest.js';
import { InvalidInputErrors, invalidInput, type RecallMatrixError } from '../core/errors.js';
import type { LoadedMatrix } from '../matrix/matrix.js';
import { digestOfNamed, type NamedFile } from '../matrix/named-files.js';

/** Refuses a run whose modules or files of the user's own are no longer those that its matrix binds, before a row is made by them (exit 2). */
export async function refuseChangedFiles(loaded: LoadedMatrix, run: string): Promise<void> {
  const faults: RecallMatrixError[] = [];
  const timeLimitMs = loaded.matrix.modules?.time_limit_ms ?? 10_000;
  for (const { digest, ...named } of boundFiles(loaded)) {
    if ((await digestOfNamed(named, dirname(loaded.path), timeLimitMs)) === digest) continue;
    faults.push(
      invalidInput('RUN_FILE_CHANGED', `${named.path} is not what it was when ${run} began`, {
        remedy: 'restore the file, or start a new run',
        location: loaded.locate(named.at),
      }),
    );
  }
  if (faults.length > 0) throw new InvalidInputErrors(faults);
}

function boundFiles({ matrix }: LoadedMatrix): (NamedFile & { readonly digest: Digest })[] {
  const policy = matrix.formation?.policy_path;
  return [
    ...(policy === undefined
      ? []
      : [
          {
            kind: 'policy' as const,
            path: policy,
            at: ['formation', 'policy_path'],
            digest: matrix.formation?.policy.replace(/^module@/, '') as Digest,
          },
        ]),
    ...matrix.arms.flatMap(({ retrieval: { strategy, path, digest } }, index) =>
      path === undefined || digest === undefined
        ? []
        : [
            {
              kind: strategy === 'file' ? ('file' as const) : ('strategy' as const),
              path,
              at: ['arms', index, 'retrieval', 'path'],
              digest,
            },
          ],
    ),
    ...Object.entries(matrix.modules?.scorers ?? {}).map(([name, { path, digest }]) => ({
      kind: 'scorer' as const,
      path,
      at: ['modules', 'scorers', name],
      digest,
    })),
  ];
}
