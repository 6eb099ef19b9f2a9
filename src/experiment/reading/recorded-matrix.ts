import { join } from 'node:path';
import { z } from 'zod';
import { NAME } from '../../matrix/fields.js';
import type { LoadedMatrix } from '../../matrix/matrix.js';
import { readResolvedMatrix } from '../../matrix/resolved-matrix-file.js';
import { brokenManifest, type RunManifest } from '../run-manifest.js';

/** What file names are made of, and what everything that reads a run rests on. The digest vouches for the rest, as far as the manifest may be believed. */
const matrixShape = z.looseObject({
  fixtures: z.array(z.string()),
  load: z.looseObject({ repeats: z.int().min(1) }),
  formation: z.looseObject({ replicates: z.int().min(1).max(10_000) }).nullable(),
  arms: z
    .array(z.looseObject({ name: NAME, reference: z.boolean(), retrieval: z.looseObject({ strategy: z.string() }) }))
    .min(1),
  baseline: z.string().nullable(),
  scoring: z.array(z.string()).min(1),
  analysis: z.looseObject({
    primary: z.string(),
    contrasts: z.array(z.tuple([z.string(), z.string()])),
    alpha: z.number().gt(0).lt(1),
    power: z.number().gt(0).lt(1),
    margin: z.number().min(0),
  }),
});

/**
 * The matrix of a run's last session, from its folder.
 *
 * @throws exit 2: `RUN_MATRIX_BROKEN`, `RUN_MANIFEST_BROKEN`.
 */
export async function readRecordedMatrix(manifest: RunManifest, folder: string): Promise<LoadedMatrix> {
  const { digest, file } = manifest.matrices.at(-1) as RunManifest['matrices'][number];
  const loaded = await readResolvedMatrix(join(folder, file), digest, manifest.matrix.path);
  const parsed = matrixShape.safeParse(loaded.matrix);
  if (parsed.success) return loaded;
  const [issue] = parsed.error.issues;
  throw brokenManifest(join(folder, file), `${issue?.path.join('.')}: ${issue?.message}`);
}
