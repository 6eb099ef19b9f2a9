import { systemClock } from '../../core/clock.js';
import type { MatrixOverrides } from '../../matrix/load-matrix.js';
import { type ArmSettings, isRemote, type LoadedMatrix, type ProviderEntry } from '../../matrix/matrix.js';
import { admits, type CallEstimate, contextBytes, estimateCost } from '../../matrix/plan.js';
import { formationPolicy } from '../../memory/formation/policies.js';
import { expectedDatabases } from '../database-tally.js';
import type { PlannedBlock, PlannedCost, RunPlan } from '../documents.js';
import type { ExaminedFixture } from '../examined-fixture.js';
import { type BankPlan, blockOf } from '../formation/formation-bank.js';
import { judgeCalls } from '../judging/plan-judging.js';
import { plannedCeilings } from '../owner-ledger/plan-ceilings.js';
import { type PreparedRun, prepareRun, vectorPlans } from '../prepare-run.js';
import { jsonAmount } from '../summary/amounts.js';
import { sampleStrata } from '../summary/sample-strata.js';
import { UserParts } from '../user-parts/user-parts.js';
import { readerTurns } from './plan-deliberate.js';
import { embeddingCosts } from './plan-embedding.js';
import { withheldFixtures } from './plan-withheld.js';
import { inProcess, overhead, planned, total, worstAdmission } from './planned-cost.js';

/** Bytes of a request's fixed parts beside its texts: keys, schema, enumerations. */
const FRAME_BYTES = 2048;
/** Shown beliefs and people of one formation request, at the policy's bounds and a generous length each. */
const SHOWN_BYTES = 48 * 240 + 64 * 120;

/** Says what a run would send and cost (MX-6). Sends nothing, starts nothing, needs no key. */
export async function planRun(matrixPath: string, overrides: MatrixOverrides): Promise<RunPlan> {
  const prepared = await prepareRun(matrixPath, overrides);
  const parts = await UserParts.open(prepared.loaded, systemClock);
  try {
    return planPrepared(prepared, parts);
  } finally {
    await parts.close();
  }
}

function planPrepared(prepared: PreparedRun, parts: UserParts): RunPlan {
  const { loaded } = prepared;
  const { matrix } = loaded;
  const formation = formationCost(prepared, instructionsBytes(loaded, parts));
  const arms = matrix.arms.map((arm) => ({ arm: arm.name, ...readerCost(prepared, arm, parts) }));
  const reader = total(arms);
  const judges = Object.keys(matrix.judges).map((judge) => ({ judge, ...judgeCost(prepared, judge) }));
  const judging = total(judges);
  const { index, query, questions } = embeddingCosts(prepared);
  const ceilings = plannedCeilings(prepared);
  const whole = total([formation, index, query, reader, judging]);
  const budget = BigInt(matrix.budget_nano_usd);
  const admittedByBudget = admits(budget, whole.worst_nano_usd === null ? null : BigInt(whole.worst_nano_usd));
  return {
    format: 'plan@1',
    matrix: loaded.digest,
    budget_nano_usd: jsonAmount(budget),
    blocks: prepared.plans.map((plan) => plannedBlock(prepared, plan)),
    arms,
    formation,
    index,
    query,
    reader,
    judges,
    judging,
    total: whole,
    embedding: { sends: query.sends, questions, ...ceilings },
    sample: sampleStrata(prepared.fixtures, matrix.load, prepared.selected),
    admitted_by_budget: admittedByBudget,
    admitted: worstAdmission([admittedByBudget, ceilings.admitted]),
    notes: [
      ...notes(admittedByBudget),
      ...withheldFixtures(prepared),
      expectedDatabases(databasesOf(prepared)),
      ...(judges.length === 0 ? [] : [JUDGE_NOTE]),
      ...(matrix.arms.some(({ recall }) => recall === 'deliberate') ? [DELIBERATE_NOTE] : []),
    ],
  };
}

function plannedBlock(prepared: PreparedRun, plan: BankPlan): PlannedBlock {
  const { fixture } = plan;
  return {
    ...blockOf(plan),
    corpus: fixture.corpus,
    questions: (prepared.selected.get(fixture.manifest.id)?.length ?? 0) * prepared.loaded.matrix.load.repeats,
    formation_calls: plan.action === 'none' ? 0 : fixture.batch_bytes.length,
    bank: plan.action,
    digest: plan.found?.bank.digest ?? null,
    nearest: plan.nearest,
    vectors: vectorPlans(prepared, plan).map(({ unit, action, found, kept, nearest }) => ({
      unit,
      action,
      digest: found?.digest ?? null,
      kept: kept?.items ?? null,
      nearest,
    })),
  };
}

function formationCost(prepared: PreparedRun, instructions: number): PlannedCost {
  const { matrix } = prepared.loaded;
  if (matrix.formation === null) return inProcess(0);
  const { profile, attempts } = matrix.formation;
  const entry = matrix.providers[profile.provider] as ProviderEntry;
  if (!sends(entry)) {
    const recorded = prepared.plans.filter(({ action }) => action === 'record' || action === 'live');
    const cells = (plan: BankPlan): number => (plan.action === 'live' ? matrix.arms.length : 1);
    return inProcess(recorded.reduce((sum, plan) => sum + plan.fixture.batch_bytes.length * cells(plan), 0));
  }
  const calls = prepared.plans.flatMap((plan) => {
    if (plan.action === 'replay' || plan.action === 'none') return [];
    const cells = plan.action === 'live' ? matrix.arms.length : 1;
    return plan.fixture.batch_bytes.map((batch): CallEstimate => {
      const bytes = instructions + FRAME_BYTES + batch;
      return {
        sends: cells,
        expected_bytes: bytes + SHOWN_BYTES / 2,
        worst_bytes: bytes + SHOWN_BYTES,
        max_output_tokens: profile.parameters.max_output_tokens,
        attempts,
      };
    });
  });
  return planned(calls, estimateCost(calls, matrix.prices[profile.model] ?? null, overhead(entry)));
}

function readerCost(prepared: PreparedRun, arm: ArmSettings, parts: UserParts): PlannedCost {
  const { matrix } = prepared.loaded;
  const entry = matrix.providers[matrix.reader.provider] as ProviderEntry;
  const asked = (fixture: string): number =>
    (prepared.selected.get(fixture) ?? []).filter((question) => parts.asksReader(arm, fixture, question)).length;
  if (!sends(entry)) {
    const questions = prepared.plans.reduce((sum, { fixture }) => sum + asked(fixture.manifest.id), 0);
    return inProcess(questions * matrix.load.repeats * readerTurns(arm, matrix.reader).calls);
  }
  const calls = prepared.plans.map(({ fixture }): CallEstimate => {
    const context = contextOf(prepared.loaded, fixture, arm);
    const turns = readerTurns(arm, matrix.reader);
    const fixed = Buffer.byteLength(JSON.stringify(turns.prompt)) + FRAME_BYTES;
    const longest = Math.max(
      0,
      ...fixture.questions.map(({ question }) => Buffer.byteLength(JSON.stringify(question))),
    );
    return {
      sends: asked(fixture.manifest.id) * matrix.load.repeats * turns.calls,
      expected_bytes: fixed + longest + context.expected,
      worst_bytes: fixed + longest + turns.told_bytes + context.worst,
      max_output_tokens: matrix.reader.parameters.max_output_tokens,
      attempts: 1,
    };
  });
  return planned(calls, estimateCost(calls, matrix.prices[matrix.reader.model] ?? null, overhead(entry)));
}

/** UTF-8 bytes of the policy's instructions, as they stand in a request. */
function instructionsBytes({ matrix: { formation } }: LoadedMatrix, { policy }: UserParts): number {
  if (formation === null) return 0;
  return Buffer.byteLength(JSON.stringify((policy ?? formationPolicy(formation.policy)).instructions));
}

function judgeCost(prepared: PreparedRun, judge: string): PlannedCost {
  const { matrix } = prepared.loaded;
  const choice = matrix.judges[judge] as LoadedMatrix['matrix']['judges'][string];
  const calls = judgeCalls(prepared, judge);
  const entry = matrix.providers[choice.provider] as ProviderEntry;
  return planned(calls, estimateCost(calls, matrix.prices[choice.model] ?? null, overhead(entry)));
}

function contextOf(
  loaded: LoadedMatrix,
  fixture: ExaminedFixture,
  arm: ArmSettings,
): { expected: number; worst: number } {
  // Of any other arm, what lessons take is part of its context's budget.
  const lessons = contextBytes(arm.context?.lesson_tokens ?? 0);
  if (arm.retrieval.strategy === 'none') return lessons;
  if (arm.retrieval.strategy !== 'full-history') return contextBytes(loaded.matrix.context.tokens);
  const bytes = fixture.batch_bytes.reduce((sum, batch) => sum + batch, 0);
  return { expected: bytes + lessons.expected, worst: bytes + lessons.worst };
}

function sends(entry: ProviderEntry): boolean {
  return isRemote(entry);
}

const DELIBERATE_NOTE =
  'A deliberate reader is counted at all the searches that it may make: four calls and three query vectors a question, expected as at worst.';
const JUDGE_NOTE = 'Judges are counted at one item an answer: equal answers share one, and abstentions need none.';

/** One a cell, and one a recording. */
function databasesOf({ plans, loaded }: PreparedRun): number {
  return plans.length * loaded.matrix.arms.length + plans.filter(({ action }) => action === 'record').length;
}

function notes(admitted: RunPlan['admitted_by_budget']): string[] {
  const small =
    'A small expected cost is no admission: each call is admitted by its own worst case, out of what is left then.';
  const estimate =
    'Estimates: 4 bytes a token and a quarter of the output limit expected; worst is every attempt at its reservation, with 8 bytes a context token.';
  if (admitted === 'not-the-worst-case') {
    return [
      small,
      'The budget does not hold the worst case: the run may be stopped before its end; finished rows stay.',
      estimate,
    ];
  }
  return [small, estimate];
}
