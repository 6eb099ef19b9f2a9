import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { DIGEST_PATTERN, type Digest, digestJson } from '../core/digest.js';
import { invalidInput, messageOf } from '../core/errors.js';
import { toolVersion } from '../core/tool-version.js';
import { FIXTURE_ID_PATTERN } from '../fixture/field-schemas.js';
import type { RunResult } from './experiment.js';
import { programDigest } from './program-digest.js';
import { programPackages } from './program-packages.js';
import type { RunFolder } from './run-folder.js';
import type { Session } from './session.js';

const digest = z.custom<Digest>((value) => typeof value === 'string' && DIGEST_PATTERN.test(value));

/** What a later session must find again in `run.json`. The rest of it is the result, which is only shown. */
const manifestSchema = z.looseObject({
  format: z.literal('run@1'),
  run: z.string().min(1),
  status: z.enum(['running', 'complete', 'incomplete', 'refused']),
  started_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
  tool: z.object({
    version: z.string(),
    node: z.string(),
    implementation: digest,
    program: digest,
    /** Absent where an earlier version wrote it. */
    packages: z.record(z.string(), z.string()).optional(),
  }),
  matrix: z.object({ digest, name: z.string(), path: z.string() }),
  matrices: z.array(z.object({ digest, file: z.string().regex(/^matrix\.resolved[0-9a-z.-]*\.yaml$/) })).min(1),
  sessions: z.array(
    z.object({
      kind: z.enum(['run', 'resume', 'extend', 'rescore']),
      started_at: z.iso.datetime(),
      finished_at: z.iso.datetime().nullable(),
      /** Of a rescoring: the program that scored, which may be another than what asked (RP-6). */
      scored_by: z.object({ version: z.string(), program: digest }).optional(),
      /** Of a rescoring by other labels than those before it, where it came to its end (MX-8). */
      changed_labels: z.array(z.object({ fixture: z.string(), before: digest, after: digest })).optional(),
    }),
  ),
  /** Where the rows that count lie below the folder: scored again, they stand beside those before (RP-6). Null: in the folder itself. */
  rows_folder: z
    .string()
    .regex(/^rescored-[1-9][0-9]*$/)
    .nullable()
    .default(null),
  postgres: z.object({ kind: z.string(), version: z.string() }),
  fixtures: z.array(
    z.object({
      id: z.string().regex(FIXTURE_ID_PATTERN),
      /** What its conversation is one of (the fixture's `source`): datasets are never pooled (RP-3). Null where an earlier version wrote it. */
      dataset: z.string().nullable().default(null),
      corpus: digest,
      owner: z.object({ tenant: z.string(), principal: z.string() }),
      load: digest,
      labels: digest,
      questions: z.int().min(0),
      review: z.string(),
    }),
  ),
  banks: z.array(
    z.object({
      fixture: z.string(),
      replicate: z.int().min(1),
      action: z.enum(['replay', 'record', 'live', 'none']),
      bank: digest.nullable(),
    }),
  ),
  vector_banks: z.array(
    z.object({
      fixture: z.string(),
      replicate: z.int().min(1),
      unit: z.enum(['beliefs', 'turns']),
      action: z.enum(['replay', 'record', 'embed']),
      bank: digest.nullable(),
    }),
  ),
  /** Of `lessons.json`; null where no arm injects any, absent where an earlier version wrote it. */
  lesson_projection: digest.nullable().default(null),
});

/** `run.json` (OB-3). */
export type RunManifest = z.output<typeof manifestSchema>;
export type RunSession = RunManifest['sessions'][number];

/** What a session of a run says of itself in the manifest. */
export interface ManifestFacts {
  readonly folder: RunFolder;
  readonly session: Session;
  readonly started_at: string;
  readonly status: RunManifest['status'];
  readonly matrices: RunManifest['matrices'];
  readonly sessions: readonly RunSession[];
  readonly fixtures: RunManifest['fixtures'];
  readonly banks: RunManifest['banks'];
  readonly vector_banks: RunManifest['vector_banks'];
  readonly stopped_by_budget: string | null;
  /** Null while it runs. */
  readonly result: RunResult | null;
}

/** The run's manifest, `run.json` (OB-3). */
export function runManifest(facts: ManifestFacts): RunManifest {
  const { session, result, folder } = facts;
  const { loaded, postgres, clock } = session;
  const { format, run, path, matrix, status, ...results } = result ?? NO_RESULT;
  return {
    format: 'run@1',
    run: folder.id,
    status: facts.status,
    started_at: facts.started_at,
    finished_at: result === null ? null : clock.now(),
    tool: {
      version: toolVersion(),
      node: process.version,
      implementation: session.implementation,
      program: programDigest(),
      packages: programPackages(),
    },
    matrix: { digest: loaded.digest, name: loaded.matrix.name, path: loaded.path },
    matrices: facts.matrices,
    sessions: [...facts.sessions],
    postgres: { kind: postgres.kind, version: postgres.version },
    ledger_home: session.ledger_home,
    prices: loaded.matrix.prices,
    prices_digest: digestJson(loaded.matrix.prices),
    seed: loaded.matrix.seed,
    order: 'questions in load order; for each, the arms shuffled by seed, block and position',
    fixtures: facts.fixtures,
    banks: facts.banks,
    vector_banks: facts.vector_banks,
    rows_folder: folder.rows,
    lesson_projection: session.lessons?.digest ?? null,
    stopped_by_budget: facts.stopped_by_budget,
    ...results,
  };
}

const NO_RESULT: Partial<RunResult> = { formation: [], arms: [], model_changes: [], problems: [] };

/**
 * Reads the manifest of a run folder.
 *
 * @throws `RUN_MANIFEST_BROKEN` (exit 2): not JSON, a recording's, or of a program that knew nothing of resuming.
 */
export async function readManifest(folder: string): Promise<RunManifest> {
  const path = join(folder, 'run.json');
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw brokenManifest(path, messageOf(cause));
  }
  const parsed = manifestSchema.safeParse(value);
  // Of a run that came in a bundle, it is said from the folder.
  if (parsed.success)
    return { ...parsed.data, matrix: { ...parsed.data.matrix, path: resolve(folder, parsed.data.matrix.path) } };
  const [issue] = parsed.error.issues;
  throw brokenManifest(path, `${issue?.path.join('.')}: ${issue?.message}`);
}

/** The refusal of a manifest (exit 2). */
export function brokenManifest(path: string, why: string): Error {
  return invalidInput('RUN_MANIFEST_BROKEN', `${path} is not the manifest of a run: ${why}`, {
    remedy: 'name the folder of a `run`; a recording is continued with `recall-matrix bank continue`',
  });
}
