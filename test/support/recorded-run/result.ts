import type { Digest } from '../../../src/core/digest.js';
import { alwaysAbstain } from '../../../src/experiment/asking/always-abstain.js';
import type { ArmResult, FormationResult, RunResult } from '../../../src/experiment/experiment.js';
import { resumeCommand } from '../../../src/experiment/resuming/resume-command.js';
import type { RunFolder } from '../../../src/experiment/run-folder.js';
import { analysisResult } from '../../../src/experiment/summary/analysis-result.js';
import { missScorer } from '../../../src/experiment/summary/arm-misses.js';
import { summariseArm } from '../../../src/experiment/summary/summarise.js';
import type { SummaryRow } from '../../../src/experiment/summary/summary-row.js';
import type { Fixture } from '../../../src/fixture/fixture.js';
import type { ArmSettings, ResolvedMatrix } from '../../../src/matrix/matrix.js';
import { recordedState } from './fixture.js';

interface ResultParts {
  readonly folder: RunFolder;
  readonly matrix: ResolvedMatrix;
  readonly digest: Digest;
  readonly fixtures: readonly Fixture[];
  /** By arm. */
  readonly rows: ReadonlyMap<string, readonly SummaryRow[]>;
  banks(fixture: string, replicate: number): Digest;
}

/** What such a run would have printed: its arms are summed up as a run sums them up; it paid nothing. */
export function recordedResultOf(parts: ResultParts): RunResult {
  const { folder, matrix, fixtures } = parts;
  const arms = matrix.arms.map((arm) => armResult(parts, arm));
  const status = arms.every((arm) => arm.status === 'complete') ? 'complete' : 'incomplete';
  const replicates = matrix.formation?.replicates ?? 1;
  return {
    format: 'run-result@1',
    run: folder.id,
    path: folder.path,
    matrix: parts.digest,
    status,
    resume: status === 'complete' ? null : resumeCommand(folder.path),
    replicates: matrix.formation === null ? null : replicates,
    formation: fixtures.flatMap((fixture) =>
      Array.from({ length: replicates }, (_, index) => formationResult(parts, fixture, index + 1)),
    ),
    arms,
    ledger: {
      limit_nano_usd: Number(matrix.budget_nano_usd),
      spent_nano_usd: 0,
      held_nano_usd: 0,
      uncertain_nano_usd: 0,
      sends: 0,
      breached: false,
      by_arm_and_stage: [],
    },
    query_preparation: null,
    lessons: null,
    analysis: analysisResult(matrix),
    judging: null,
    changed_labels: [],
    model_changes: [],
    always_abstain: alwaysAbstain(
      fixtures.map(({ labels }) => ({ labels: [...labels.values()] })),
      matrix.scoring,
    ),
    problems: [],
  };
}

function armResult({ matrix, fixtures, rows }: ResultParts, arm: ArmSettings): ArmResult {
  const own = rows.get(arm.name) ?? [];
  const replicates = matrix.formation?.replicates ?? 1;
  const asked = fixtures.reduce((sum, { questions }) => sum + questions.length, 0);
  const questions = asked * matrix.load.repeats * replicates;
  const answered = own.filter(({ outcome }) => outcome.kind === 'answered').length;
  return summariseArm(
    {
      arm: arm.name,
      aa_of: arm.aa_of ?? null,
      status: answered === questions ? 'complete' : own.length === questions ? 'failed' : 'incomplete',
      reason: answered === questions ? null : `${questions - answered} of ${questions} questions without an answer`,
      reference: arm.reference,
      oracle: arm.retrieval.strategy === 'evidence',
      unit: arm.retrieval.strategy === 'none' ? null : arm.retrieval.unit,
      recall: arm.recall ?? 'automatic',
      parity: 'equal',
      replayed_calls: fixtures.length * replicates,
      questions,
      miss_scorer: missScorer(matrix.analysis, matrix.scoring),
      sample: null,
      actual_nano_usd: 0n,
      uncertain_nano_usd: 0n,
      replicates,
      primary: matrix.analysis.primary,
      intervals: {
        alpha: matrix.analysis.alpha,
        datasetOf: (id) => fixtures.find(({ manifest }) => manifest.id === id)?.manifest.source ?? '',
      },
    },
    own,
    matrix.scoring,
    rows.get('full-history') ?? null,
  );
}

function formationResult({ banks }: ResultParts, fixture: Fixture, replicate: number): FormationResult {
  const nothing = { sends: 0, actual_nano_usd: 0, uncertain_nano_usd: 0 };
  return {
    fixture: fixture.manifest.id,
    replicate,
    corpus: fixture.corpus,
    bank: banks(fixture.manifest.id, replicate),
    vector_bank: null,
    vectors: [],
    source: 'replayed',
    calls: 1,
    attributed_nano_usd: null,
    actual_nano_usd: 0,
    uncertain_nano_usd: 0,
    embedding: { index: nothing, query: nothing },
    state: recordedState(fixture).digest,
    live_states: null,
    reported_models: [],
    review: fixture.review_state,
  };
}
