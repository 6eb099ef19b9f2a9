import { counted } from '../core/counted.js';
import type { FixtureOutline } from '../fixture/fixture.js';
import type { Label } from '../fixture/label.js';
import type { LedgerTotals, SharedSums } from '../ledger/ledger.js';
import type { ArmSettings, LoadedMatrix } from '../matrix/matrix.js';
import { alwaysAbstain } from './asking/always-abstain.js';
import type { CallAccount } from './asking/call-account.js';
import { blockName, blocksNoun } from './block-id.js';
import type { CellOutcome } from './cell-outcome.js';
import { changedLabels } from './changed-labels.js';
import type {
  ActualCost,
  ArmResult,
  ArmStatus,
  FormationResult,
  ParityStatus,
  ProblemResult,
  RunResult,
  RunStatus,
  VectorResult,
} from './experiment.js';
import type { BankPlan, FixtureFormation } from './formation/formation-bank.js';
import type { OwnCost } from './formation/formation-cost.js';
import { commonState, liveStates } from './formation/live-states.js';
import type { Judging } from './judging/judging.js';
import { isWhollyJudged, judgingResult } from './judging/judging-result.js';
import { ledgerResult } from './ledger-result.js';
import { isLost } from './resuming/committed-rows.js';
import { modelChanges, unique } from './resuming/model-changes.js';
import { resumeCommand } from './resuming/resume-command.js';
import type { RunFolder } from './run-folder.js';
import type { RunSession } from './run-manifest.js';
import { jsonAmount } from './summary/amounts.js';
import { analysisResult } from './summary/analysis-result.js';
import type { InSample } from './summary/in-sample.js';
import { lessonPairs } from './summary/lesson-pairs.js';
import { fullHistoryRows, matrixFacts } from './summary/matrix-facts.js';
import { distinctProblems, problemResults } from './summary/problem-results.js';
import { summariseArm } from './summary/summarise.js';
import { type SummaryRow, summaryRow } from './summary/summary-row.js';
import { type QueryFate, queryTally } from './vectors/query-tally.js';

/** What a run made of one block. */
export interface FixtureResult {
  readonly fixture: FixtureOutline;
  readonly replicate: number;
  /** Null where formation failed. */
  readonly formed: FixtureFormation | null;
  readonly vectors: readonly VectorResult[];
  /** What the bank's calls cost alone. */
  readonly cost: OwnCost;
  /** The calls of a recording that was made, or failed, now. */
  readonly recording: CallAccount;
  readonly outcomes: readonly CellOutcome[];
  /** What became of its questions' vectors; null where none is prepared. */
  readonly queries: readonly QueryFate[] | null;
  readonly errors: readonly { readonly error: unknown; readonly arm: string | null }[];
  /** Questions and repeats. */
  readonly questions: number;
  /** Labels of the questions asked, in load order. */
  readonly labels: readonly Label[];
}

/** What a run keeps of a fixture that it is done with: neither its history and bank nor the text of its rows. */
export interface FinishedFixture extends Pick<FixtureResult, 'questions' | 'labels' | 'queries'> {
  readonly formation: FormationResult;
  readonly outcomes: readonly FinishedCell[];
  /** Each different one once. */
  readonly problems: readonly ProblemResult[];
}

type FinishedCell = Pick<CellOutcome, 'arm' | 'status' | 'reason' | 'parity' | 'replayed_calls'> & {
  readonly rows: readonly SummaryRow[];
};

/** Takes from a fixture's result, and from what the ledger booked for all arms, what the run's needs: the rest can be let go of. */
export function finishFixture(result: FixtureResult, shared: readonly SharedSums[]): FinishedFixture {
  const { questions, labels, queries } = result;
  const outcomes = result.outcomes.map(({ arm, status, reason, parity, replayed_calls, rows }) => ({
    arm,
    status,
    reason,
    parity,
    replayed_calls,
    rows: rows.map(summaryRow),
  }));
  return {
    questions,
    labels,
    queries,
    outcomes,
    formation: formationResult(result, shared),
    problems: problemResults(result),
  };
}

/** What the result is made from. */
export interface RunFacts {
  readonly folder: RunFolder;
  readonly loaded: LoadedMatrix;
  readonly fixtures: readonly FinishedFixture[];
  readonly plans: readonly BankPlan[];
  readonly totals: LedgerTotals;
  readonly judging: Judging;
  /** Null where no arm injects lessons. */
  readonly sample: InSample | null;
  readonly interrupted: boolean;
  /** Earlier ones. */
  readonly sessions: readonly RunSession[];
}

/** What `run --json` prints. */
export async function runResult(facts: RunFacts): Promise<RunResult> {
  const { loaded, fixtures, totals } = facts;
  const arms = loaded.matrix.arms.map((arm) => armResult(arm, facts));
  const formation = fixtures.map((fixture) => fixture.formation);
  const examined = [...new Set(facts.plans.map(({ fixture }) => fixture))];
  const judging = await judgingResult(facts.judging, loaded, arms, examined, totals);
  const status = isWhollyJudged(judging) ? runStatus(arms, facts) : 'incomplete';
  return {
    format: 'run-result@1',
    run: facts.folder.id,
    path: facts.folder.path,
    matrix: loaded.digest,
    status,
    // After a breach nothing more is admitted (LG-9): no resume could ask anything.
    resume: status === 'complete' || totals.breached ? null : resumeCommand(facts.folder.path, resumeFlags(facts)),
    replicates: replicatesShown(loaded),
    formation,
    arms,
    ledger: ledgerResult(totals),
    query_preparation: preparationResult(fixtures),
    lessons: lessonsResult(facts),
    analysis: analysisResult(loaded.matrix),
    changed_labels: changedLabels(facts.sessions),
    judging,
    model_changes: modelChanges(loaded, formation, arms, judging),
    always_abstain: alwaysAbstain(facts.fixtures, loaded.matrix.scoring),
    problems: distinctProblems(fixtures.flatMap((fixture) => fixture.problems)),
  };
}

function lessonsResult(facts: RunFacts): RunResult['lessons'] {
  const { sample, loaded } = facts;
  if (sample === null) return null;
  const { arms, analysis } = loaded.matrix;
  return { ...sample.result, pairs: lessonPairs(arms, (arm) => rowsOf(facts, arm), sample, analysis.primary) };
}

/** Null where no query was prepared for any arm. */
function preparationResult(fixtures: readonly FinishedFixture[]): RunResult['query_preparation'] {
  const fates = fixtures.flatMap(({ queries }) => (queries === null ? [] : [queries]));
  return fates.length === 0 ? null : queryTally(fates.flat());
}

/** Null where no bank was recorded or replayed. */
function replicatesShown({ matrix: { formation } }: LoadedMatrix): number | null {
  return formation === null || formation.bank === 'off' ? null : formation.replicates;
}

function runStatus(arms: readonly ArmResult[], facts: RunFacts): RunStatus {
  const isWhole = !facts.interrupted && facts.fixtures.length === facts.plans.length;
  if (isWhole && arms.every(({ status }) => status === 'complete')) return 'complete';
  return arms.every(({ status, answered }) => status === 'refused' && answered === 0) ? 'refused' : 'incomplete';
}

/** Where nothing is left but rows that the provider lost, resuming does something only with their flag. */
function resumeFlags({ fixtures, plans }: RunFacts): string[] {
  const outcomes = fixtures.flatMap((fixture) => fixture.outcomes);
  const isAsked =
    fixtures.length === plans.length && outcomes.every(({ status }) => ['complete', 'failed'].includes(status));
  return isAsked && outcomes.some(({ rows }) => rows.some(isLost)) ? ['--retry-failed'] : [];
}

function armResult(arm: ArmSettings, facts: RunFacts): ArmResult {
  const { fixtures, plans, totals, loaded } = facts;
  const outcomes = fixtures.flatMap(({ outcomes: all }) => all.filter((outcome) => outcome.arm === arm.name));
  const missing = plans.length - outcomes.length;
  const worst = worstOf(outcomes, missing, blocksNoun(plans));
  const rows = rowsOf(facts, arm.name);
  const datasets = new Map(plans.map(({ fixture: { manifest } }) => [manifest.id, manifest.source]));
  return summariseArm(
    {
      arm: arm.name,
      ...worst,
      parity: parityOf(outcomes, missing),
      replayed_calls: outcomes.reduce((sum, outcome) => sum + outcome.replayed_calls, 0),
      questions: fixtures.reduce((sum, fixture) => sum + fixture.questions, 0),
      sample: facts.sample,
      ...matrixFacts(loaded.matrix, arm, totals.by_arm_and_stage, datasets),
    },
    rows,
    loaded.matrix.scoring,
    fullHistoryRows(loaded.matrix, (name) => rowsOf(facts, name)),
  );
}

function rowsOf({ fixtures }: RunFacts, arm: string): SummaryRow[] {
  return fixtures.flatMap(({ outcomes }) =>
    outcomes.filter((outcome) => outcome.arm === arm).flatMap(({ rows }) => rows),
  );
}

function worstOf(
  outcomes: readonly FinishedCell[],
  missing: number,
  noun: string,
): { status: ArmStatus; reason: string | null } {
  for (const status of ['refused', 'failed', 'incomplete'] as const) {
    const outcome = outcomes.find((candidate) => candidate.status === status);
    if (outcome !== undefined) return { status, reason: outcome.reason };
  }
  return missing > 0
    ? {
        status: 'incomplete',
        reason: `not reached: ${missing} of ${counted(missing + outcomes.length, 'fixture', noun)}`,
      }
    : { status: 'complete', reason: null };
}

function parityOf(outcomes: readonly FinishedCell[], missing: number): ParityStatus {
  for (const parity of ['changed', 'not-reached'] as const) {
    if (outcomes.some((outcome) => outcome.parity === parity)) return parity;
  }
  if (missing > 0) return 'not-reached';
  return outcomes[0]?.parity ?? 'not-reached';
}

function formationResult(facts: FixtureResult, shared: readonly SharedSums[]): FormationResult {
  const { fixture, formed, vectors, cost, recording, outcomes } = facts;
  const bank = formed?.kind === 'bank' ? formed.file.bank : null;
  const isLive = formed?.kind === 'live';
  const live = isLive ? liveStates(outcomes) : null;
  const block = blockName({ fixture: fixture.manifest.id, replicate: facts.replicate });
  const took = (stage: SharedSums['stage']): ActualCost => actualCost(shared, block, stage);
  const recorded = took('formation');
  return {
    fixture: fixture.manifest.id,
    replicate: facts.replicate,
    corpus: fixture.corpus,
    bank: bank?.digest ?? null,
    vector_bank: vectors.find(({ vector_bank: bank }) => bank !== null)?.vector_bank ?? null,
    vectors,
    source: formed === null ? 'failed' : formed.kind === 'bank' ? formed.source : formed.kind,
    calls: bank?.call_count ?? sum(live?.map(({ calls }) => calls) ?? []),
    attributed_nano_usd: formed === null || isLive || cost.nano_usd === null ? null : jsonAmount(cost.nano_usd),
    actual_nano_usd: live === null ? recorded.actual_nano_usd : sum(live.map(({ actual_nano_usd }) => actual_nano_usd)),
    uncertain_nano_usd: recorded.uncertain_nano_usd,
    embedding: { index: took('index'), query: took('query') },
    state: bank?.state.digest ?? commonState(live),
    live_states: live,
    reported_models:
      bank === null
        ? unique(
            [recording, ...outcomes.map(({ formation }) => formation)].flatMap((account) => account.reported_models),
          )
        : unique(bank.calls.flatMap(({ reported_model }) => (reported_model === null ? [] : [reported_model]))),
    review: fixture.review_state,
  };
}

function actualCost(shared: readonly SharedSums[], block: string, stage: SharedSums['stage']): ActualCost {
  const sums = shared.find((one) => one.fixture === block && one.stage === stage);
  return {
    sends: sums?.sends ?? 0,
    actual_nano_usd: jsonAmount(sums?.spent_nano_usd ?? 0n),
    uncertain_nano_usd: jsonAmount(sums?.uncertain_nano_usd ?? 0n),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
