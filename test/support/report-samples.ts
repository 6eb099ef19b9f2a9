import type { Observation } from '../../src/experiment/experiment.js';
import type { RunRecord } from '../../src/experiment/run-record.js';
import type { Fixture } from '../../src/fixture/fixture.js';
import type { Label } from '../../src/fixture/label.js';
import type { ArmSettings, ResolvedMatrix } from '../../src/matrix/matrix.js';
import { sampleRow } from './observation-samples.js';

/** A run in memory, of rows that a test states: what figures, charts and sections are shown by, without a folder. */
export interface SampleRun {
  readonly arms: readonly (Partial<ArmSettings> & {
    readonly name: string;
    readonly strategy?: string;
    readonly aa_of?: string;
  })[];
  readonly fixtures: readonly {
    readonly id: string;
    readonly dataset?: string | null;
    /** Load items. */
    readonly questions: number;
    /** Evidence by question; absent: the fixture is no longer at hand. */
    readonly evidence?: Readonly<Record<string, readonly string[]>>;
  }[];
  readonly rows: readonly Partial<Observation>[];
  readonly matrix?: Partial<ResolvedMatrix>;
  readonly result?: Readonly<Record<string, unknown>>;
}

export function sampleRecord(run: SampleRun): RunRecord {
  const arms = run.arms.map(({ strategy = 'bm25', ...arm }) => ({
    reference: strategy === 'full-history' || strategy === 'evidence',
    retrieval: { strategy, unit: 'beliefs', limit: strategy === 'none' ? null : 10, mode: 'standard' },
    ...arm,
  })) as unknown as ArmSettings[];
  const rows = run.rows.map(sampleRow);
  const replicates = [...new Set(rows.map(({ replicate }) => replicate))].sort();
  return {
    run: 'run-1',
    path: '/runs/run-1',
    manifest: {
      format: 'run@1',
      run: 'run-1',
      status: 'complete',
      fixtures: run.fixtures.map(({ id, dataset = 'demo', questions }) => ({
        id,
        dataset,
        questions,
        review: 'reviewed',
      })),
    } as unknown as RunRecord['manifest'],
    result: {
      status: 'complete',
      replicates: null,
      formation: [],
      arms: arms.map(({ name, reference }) => ({
        arm: name,
        reference,
        status: 'complete',
        reason: null,
        degraded: false,
        lost: 0,
        failed: 0,
        answered: rows.filter((row) => row.arm === name).length,
        questions: rows.filter((row) => row.arm === name).length,
        parity: 'equal',
        lessons: null,
        attributed_nano_usd: null,
        misses: { scorer: 'token-f1', below: 0.5, n: 0, causes: {} },
      })),
      lessons: null,
      judging: null,
      model_changes: [],
      always_abstain: { 'token-f1': 0.25 },
      problems: [],
      ...run.result,
    } as unknown as RunRecord['result'],
    matrix: {
      name: 'demo',
      arms,
      scoring: ['token-f1'],
      baseline: arms[0]?.name ?? null,
      load: { questions: 'all', categories: null, repeats: 1, sample: null },
      formation: { replicates: replicates.length || 1, bank: 'record-if-missing' },
      analysis: { primary: 'token-f1', contrasts: [], alpha: 0.05, power: 0.8, margin: 0.02 },
      ...run.matrix,
    } as unknown as ResolvedMatrix,
    async *cells() {
      for (const { id } of run.fixtures)
        for (const replicate of replicates)
          for (const { name } of arms) {
            const own = rows.filter((row) => row.fixture === id && row.replicate === replicate && row.arm === name);
            yield { arm: name, fixture: id, replicate, is_finished: true, rows: own };
          }
    },
    request: async () => null,
    state: async () => null,
    fixture: async (id) => {
      const evidence = run.fixtures.find((fixture) => fixture.id === id)?.evidence;
      if (evidence === undefined) return { missing: `${id} is not there` };
      const labels = Object.entries(evidence).map(([question, turns]): [string, Label] => [
        question,
        { question_id: question, category: 'x', answerable: true, expected: ['y'], evidence: turns },
      ]);
      return { labels: new Map(labels) } as unknown as Fixture;
    },
  };
}
