import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { canonicalJson } from '../../src/core/canonical-json.js';
import { type Digest, digestJson, digestText } from '../../src/core/digest.js';
import type { Observation } from '../../src/experiment/asking/observation.js';
import type { RunResult } from '../../src/experiment/experiment.js';
import type { KeptVerdict } from '../../src/experiment/judging/judgement-file.js';
import { fixtureFacts } from '../../src/experiment/resuming/run-changes.js';
import { RunFolder } from '../../src/experiment/run-folder.js';
import type { CellId, RunManifest } from '../../src/experiment/run-record.js';
import type { SummaryRow } from '../../src/experiment/summary/summary-row.js';
import { summaryRow } from '../../src/experiment/summary/summary-row.js';
import type { Fixture } from '../../src/fixture/fixture.js';
import type { LessonProjection } from '../../src/lessons/projection.js';
import type { ResolvedMatrix } from '../../src/matrix/matrix.js';
import { matrixDigest } from '../../src/matrix/resolve-matrix.js';
import { type RecordedFixtureText, recordedState, writeRecordedFixture } from './recorded-run/fixture.js';
import { type ArmDescription, recordedMatrix } from './recorded-run/matrix.js';
import { recordedResultOf } from './recorded-run/result.js';
import { type AskedRow, type RowValue, recordedRequestText, recordedRow } from './recorded-run/row.js';
import { temporaryFolder } from './temporary-folder.js';

export type { AskedRow, RowValue } from './recorded-run/row.js';

/** A run that was never made, as its folder would be. A test says only what matters to it; everything is deterministic. */
export interface RecordedRunDescription {
  /** The run's id. */
  readonly name?: string;
  /** Where `fixtures/` and `runs/` are written; a folder of the test's own where absent. */
  readonly folder?: string;
  /** A name that is a strategy's has that strategy, any other is a `bm25` arm of that name; `full-history` and `evidence` are references. */
  readonly arms?: readonly (string | ArmDescription)[];
  readonly fixtures?: readonly RecordedFixtureText[];
  readonly scorers?: readonly string[];
  readonly repeats?: number;
  readonly replicates?: number;
  /** Other banks than those of a run that says otherwise: any text. */
  readonly banks?: string;
  readonly started_at?: string;
  /** What became of a row: its score by every scorer, `failed` (of the arm's own making), `lost` (to the provider), or fields of it. */
  readonly row?: (asked: AskedRow) => RowValue;
  /** Cells without a finalised file. */
  readonly unfinished?: (cell: CellId) => boolean;
  /** Whether `requests/` is written, with each row's context. */
  readonly requests?: boolean;
  /** Lines of `judgements.jsonl`. */
  readonly verdicts?: readonly KeptVerdict[];
  /** `lessons.json`, which the manifest binds. */
  readonly lessons?: LessonProjection;
  readonly matrix?: Partial<ResolvedMatrix>;
  readonly manifest?: Partial<RunManifest>;
  readonly result?: Partial<RunResult>;
}

/**
 * Writes a sound run folder that `openRunRecord` takes, with its fixtures beside it, without Postgres and in milliseconds. Default: arms `bm25` and
 * `semantic`, one fixture `c1` of dataset `made-up` with four questions, all right.
 *
 * @returns the run folder.
 */
export async function writeRecordedRun(description: RecordedRunDescription = {}): Promise<string> {
  const root = description.folder ?? (await temporaryFolder());
  const run = description.name ?? 'run-1';
  const folder = RunFolder.of(run, join(root, 'runs', run), null);
  const texts = description.fixtures ?? [{ id: 'c1', questions: 4 }];
  const fixtures: Fixture[] = [];
  for (const text of texts) fixtures.push(await writeRecordedFixture(join(root, 'fixtures'), text));
  const matrix = recordedMatrix(description, fixtures);
  await mkdir(folder.path, { recursive: true });
  const rows = await writeRows(description, folder, fixtures, matrix);
  const { verdicts, lessons } = description;
  if (verdicts !== undefined)
    await writeFile(folder.judgementsPath, verdicts.map((verdict) => `${JSON.stringify(verdict)}\n`).join(''));
  if (lessons !== undefined) await folder.writeLessons(canonicalJson(lessons));
  const digest = matrixDigest(matrix);
  await folder.writeMatrix('matrix.resolved.yaml', stringify(matrix));
  const result = recordedResultOf({ folder, matrix, digest, fixtures, rows, banks: bankDigest(description) });
  await folder.writeManifest(
    manifestOf(description, folder, fixtures, matrix, digest, { ...result, ...description.result }),
  );
  return folder.path;
}

async function writeRows(
  description: RecordedRunDescription,
  folder: RunFolder,
  fixtures: readonly Fixture[],
  matrix: ResolvedMatrix,
): Promise<ReadonlyMap<string, readonly SummaryRow[]>> {
  const kept = new Map<string, SummaryRow[]>(matrix.arms.map(({ name }) => [name, []]));
  const facts = fixtures.map((one) => fixtureFacts(one, [...one.labels.keys()], matrix.load.repeats));
  const shared = { run: folder.id, matrix: matrixDigest(matrix), scorers: matrix.scoring };
  for (const [conversation, fixture] of fixtures.entries())
    for (let replicate = 1; replicate <= (matrix.formation?.replicates ?? 1); replicate += 1) {
      const block = { fixture: fixture.manifest.id, replicate };
      const state = recordedState(fixture);
      await folder.writeState(block, null, state.state);
      const bound = { ...shared, facts: facts[conversation] as (typeof facts)[number], state: state.digest };
      const bank = bankDigest(description)(block.fixture, replicate);
      for (const arm of matrix.arms) {
        if (description.unfinished?.({ ...block, arm: arm.name }) === true) continue;
        const rows: Observation[] = [];
        for (const [index, question] of fixture.questions.entries())
          for (let repeat = 1; repeat <= matrix.load.repeats; repeat += 1) {
            const asked = {
              arm: arm.name,
              fixture: block.fixture,
              conversation,
              question: question.id,
              index,
              repeat,
              replicate,
            };
            const value = description.row?.(asked) ?? 1;
            const request = description.requests === true ? recordedRequestText(fixture, question) : null;
            if (request !== null) await folder.keepRequest(digestText(request), request);
            rows.push(recordedRow({ ...bound, bank, fixture, arm, position: rows.length, request }, asked, value));
          }
        await folder.prepareArm(arm.name);
        await folder.finaliseRows(arm.name, block, rows);
        kept.get(arm.name)?.push(...rows.map(summaryRow));
      }
    }
  return kept;
}

function bankDigest({ banks = 'banks' }: RecordedRunDescription): (fixture: string, replicate: number) => Digest {
  return (fixture, replicate) => digestText(canonicalJson([banks, fixture, replicate]));
}

function manifestOf(
  description: RecordedRunDescription,
  folder: RunFolder,
  fixtures: readonly Fixture[],
  matrix: ResolvedMatrix,
  digest: Digest,
  { format, run, path, matrix: _matrix, status, ...results }: RunResult,
): unknown {
  const started_at = description.started_at ?? '2026-01-01T00:00:00.000Z';
  const program = digestText('program');
  return {
    format: 'run@1',
    run,
    status,
    started_at,
    finished_at: started_at,
    tool: { version: '0.0.0', node: 'v20.0.0', implementation: program, program, packages: {} },
    matrix: { digest, name: matrix.name, path: join(folder.path, '..', '..', 'matrix.yaml') },
    matrices: [{ digest, file: 'matrix.resolved.yaml' }],
    sessions: [{ kind: 'run', started_at, finished_at: started_at }],
    postgres: { kind: 'existing', version: '18.0' },
    ledger_home: { home: 'file' },
    prices: matrix.prices,
    prices_digest: digestJson(matrix.prices),
    seed: matrix.seed,
    order: 'as written',
    fixtures: fixtures.map((one) => fixtureFacts(one, [...one.labels.keys()], matrix.load.repeats)),
    banks: fixtures.flatMap(({ manifest: { id } }) =>
      Array.from({ length: matrix.formation?.replicates ?? 1 }, (_, index) => ({
        fixture: id,
        replicate: index + 1,
        action: 'replay',
        bank: bankDigest(description)(id, index + 1),
      })),
    ),
    vector_banks: [],
    lesson_projection: description.lessons === undefined ? null : digestJson(description.lessons),
    stopped_by_budget: null,
    ...results,
    ...description.manifest,
  };
}
