import type { FixtureOutline } from '../../fixture/fixture.js';
import type { Label } from '../../fixture/label.js';
import type { LedgerTotals } from '../../ledger/ledger.js';
import type { ArmSettings, LoadedMatrix } from '../../matrix/matrix.js';
import { alwaysAbstain } from '../asking/always-abstain.js';
import type { ArmResult, ProblemResult, RunResult } from '../experiment.js';
import type { Judging } from '../judging/judging.js';
import { isWhollyJudged, judgingResult } from '../judging/judging-result.js';
import { ledgerResult } from '../ledger-result.js';
import { isLost } from '../resuming/committed-rows.js';
import { modelChanges } from '../resuming/model-changes.js';
import { resumeCommand } from '../resuming/resume-command.js';
import { analysisResult } from '../summary/analysis-result.js';
import { lessonPairs } from '../summary/lesson-pairs.js';
import { fullHistoryRows, matrixFacts } from '../summary/matrix-facts.js';
import { distinctProblems } from '../summary/problem-results.js';
import { recordedSample } from '../summary/recorded-sample.js';
import { summariseArm } from '../summary/summarise.js';
import type { SummaryRow } from '../summary/summary-row.js';

/** What a rescored run's result is made from. */
export interface RescoredFacts {
  /** As it was printed before: what scores do not touch stays. */
  readonly before: RunResult;
  readonly loaded: LoadedMatrix;
  readonly fixtures: readonly FixtureOutline[];
  readonly rows: ReadonlyMap<string, readonly SummaryRow[]>;
  /** Of each block, those of its load in its order. */
  readonly labels: readonly { readonly labels: readonly Label[] }[];
  readonly judging: Judging;
  readonly totals: LedgerTotals;
  /** Of all rescorings, this one too. */
  readonly changed_labels: RunResult['changed_labels'];
  /** What went wrong with judges now. */
  readonly problems: readonly ProblemResult[];
  /** The command that asks for missing verdicts. */
  readonly command: string;
}

/** What `run --json` would print of the run now. */
export async function rescoredResult(facts: RescoredFacts): Promise<RunResult> {
  const { before, loaded, totals } = facts;
  const arms = before.arms.map((arm) => rescoredArm(arm, facts));
  const judging = await judgingResult(facts.judging, loaded, arms, facts.fixtures, totals);
  const isJudged = isWhollyJudged(judging);
  const isComplete = isJudged && arms.every(({ status }) => status === 'complete');
  return {
    ...before,
    matrix: loaded.digest,
    status: isComplete ? 'complete' : 'incomplete',
    resume: isComplete || totals.breached ? null : isJudged ? resumeOf(facts) : facts.command,
    arms,
    ledger: ledgerResult(totals),
    lessons: lessonsResult(facts),
    analysis: analysisResult(loaded.matrix),
    changed_labels: facts.changed_labels,
    judging,
    model_changes: modelChanges(loaded, before.formation, arms, judging),
    always_abstain: alwaysAbstain(facts.labels, loaded.matrix.scoring),
    // Of a finished run, what is no arm's is an earlier judging's: this one has taken its place.
    problems: distinctProblems([...before.problems.filter(({ arm }) => arm !== null), ...facts.problems]),
  };
}

/** Of a run whose every question was asked: what an earlier rescoring said of missing verdicts is done with. */
function resumeOf({ before, rows }: RescoredFacts): string {
  const hasLost = [...rows.values()].some((all) => all.some(isLost));
  return resumeCommand(before.path, hasLost ? ['--retry-failed'] : []);
}

function rescoredArm(before: ArmResult, facts: RescoredFacts): ArmResult {
  const { totals, fixtures } = facts;
  const { matrix } = facts.loaded;
  const arm = matrix.arms.find(({ name }) => name === before.arm) as ArmSettings;
  const datasets = new Map(fixtures.map(({ manifest }) => [manifest.id, manifest.source]));
  return summariseArm(
    {
      ...before,
      sample: recordedSample(facts.before),
      ...matrixFacts(matrix, arm, totals.by_arm_and_stage, datasets),
    },
    rowsOf(facts, arm.name),
    matrix.scoring,
    fullHistoryRows(matrix, (name) => rowsOf(facts, name)),
  );
}

function lessonsResult(facts: RescoredFacts): RunResult['lessons'] {
  const { before, loaded } = facts;
  const sample = recordedSample(before);
  if (before.lessons === null || sample === null) return null;
  const { arms, analysis } = loaded.matrix;
  return { ...before.lessons, pairs: lessonPairs(arms, (arm) => rowsOf(facts, arm), sample, analysis.primary) };
}

function rowsOf({ rows }: RescoredFacts, arm: string): readonly SummaryRow[] {
  return rows.get(arm) ?? [];
}
