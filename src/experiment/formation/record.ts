import { type ErrorKind, invalidInput } from '../../core/errors.js';
import { CallAccount } from '../asking/call-account.js';
import { openFixture } from '../examined-fixture.js';
import type { FormationResult, RecordResult } from '../experiment.js';
import { ledgerResult } from '../ledger-result.js';
import { type RunOptions, withSession } from '../open-session.js';
import { lookedUpQuestions, type PreparedRun, prepareRun, vectorPlans } from '../prepare-run.js';
import type { RunFolder } from '../run-folder.js';
import { type FinishedFixture, type FixtureResult, finishFixture } from '../run-result.js';
import { formationOf, type Session } from '../session.js';
import { distinctProblems } from '../summary/problem-results.js';
import { FixtureVectors } from '../vectors/fixture-vectors.js';
import { type BankPlan, type FixtureFormation, recordBank, replayBank, whyRecorded } from './formation-bank.js';
import { bankCost, NO_COST } from './formation-cost.js';

/** A recording that went as far as it could. */
export interface RecordOutcome {
  readonly result: RecordResult;
  readonly kinds: readonly ErrorKind[];
}

/** Records the formation and vector banks that a matrix's fixtures lack; those that fit are left alone. */
export async function recordMatrix(options: RunOptions): Promise<RecordOutcome> {
  const prepared = await prepareRun(options.matrixPath, options.overrides, options);
  const hasBanks = prepared.plans.some(({ action }) => action === 'replay' || action === 'record');
  const hasVectorBanks = [...prepared.vectors.values()].flat().some(({ action }) => action !== 'embed');
  if (!hasBanks && !hasVectorBanks) {
    const why =
      'the matrix has no banks: its formation is `none`, or its bank mode is off, and no arm has vectors to bank';
    throw invalidInput('NOTHING_TO_RECORD', why, {
      location: { file: prepared.loaded.path },
      remedy: 'use `bank: record-if-missing`',
    });
  }
  return withSession(
    options,
    prepared,
    { reads: false, place: { kind: 'new', prefix: 'record-' } },
    (session, folder) => recordAll(session, prepared, folder),
  );
}

/**
 * Records what is due, and writes down what came of it.
 *
 * @param record how: anew, or by continuing.
 */
export async function recordAll(
  session: Session,
  prepared: PreparedRun,
  folder: RunFolder,
  record: typeof recordBank = recordBank,
): Promise<RecordOutcome> {
  const { clock, ledger, loaded, signal } = session;
  const startedAt = clock.now();
  // Killed from here on, it is found by its name, with what its ledger holds.
  await folder.writeManifest({ format: 'record@1', run: folder.id, status: 'running', started_at: startedAt });
  const fixtures: FinishedFixture[] = [];
  for (const plan of prepared.plans) {
    if (signal.aborted) break;
    fixtures.push(finishFixture(await recordOne(session, prepared, plan, folder, record), ledger.shared()));
  }
  const formation: FormationResult[] = fixtures.map((fixture) => fixture.formation);
  const isWhole =
    formation.length === prepared.plans.length &&
    formation.every(({ source, vectors }) => source !== 'failed' && vectors.every((unit) => unit.source !== 'failed'));
  const result: RecordResult = {
    format: 'record-result@1',
    run: folder.id,
    path: folder.path,
    matrix: loaded.digest,
    status: isWhole ? 'complete' : 'incomplete',
    formation,
    ledger: ledgerResult(ledger.totals()),
    problems: distinctProblems(fixtures.flatMap((fixture) => fixture.problems)),
  };
  await folder.writeManifest({ ...result, format: 'record@1', started_at: startedAt, finished_at: clock.now() });
  const kinds = fixtures.flatMap(({ problems }) => problems.map(({ kind }) => kind));
  return { result, kinds: signal.aborted ? [...kinds, 'interrupted'] : kinds };
}

async function recordOne(
  session: Session,
  prepared: PreparedRun,
  plan: BankPlan,
  folder: RunFolder,
  record: typeof recordBank,
): Promise<FixtureResult> {
  const recording = new CallAccount();
  const { fixture } = plan;
  const nothingAsked = {
    fixture,
    replicate: plan.replicate,
    recording,
    outcomes: [],
    queries: null,
    questions: 0,
    labels: [],
  };
  let formed: FixtureFormation;
  try {
    formed = await formBank(session, plan, recording, record);
  } catch (error) {
    return { ...nothingAsked, formed: null, vectors: [], cost: UNKNOWN, errors: [{ error, arm: null }] };
  }
  const vectors = await FixtureVectors.open({
    session,
    fixture,
    replicate: plan.replicate,
    formed,
    plans: vectorPlans(prepared, plan).filter(({ action }) => action !== 'embed'),
    questions: lookedUpQuestions(prepared, fixture),
    folder,
    run: null,
  });
  const results = (await vectors?.results()) ?? [];
  const failure = (await vectors?.failure()) ?? null;
  await vectors?.close();
  const errors = failure === null ? [] : [{ error: failure, arm: null }];
  return { ...nothingAsked, formed, vectors: results, cost: costOf(session, formed), errors };
}

async function formBank(
  session: Session,
  plan: BankPlan,
  recording: CallAccount,
  record: typeof recordBank,
): Promise<FixtureFormation> {
  if (plan.action === 'none' || plan.action === 'live') return { kind: plan.action };
  if (plan.found !== null) return replayBank(plan.found);
  if (record === recordBank) session.progress({ kind: 'note', text: whyRecorded(plan) });
  return record(session, await openFixture(plan.fixture), plan, recording);
}

const UNKNOWN = { usage: null, nano_usd: null };

function costOf(session: Session, formed: FixtureFormation): FixtureResult['cost'] {
  if (formed.kind === 'none') return NO_COST;
  if (formed.kind === 'live') return UNKNOWN;
  return bankCost(formed.file.bank, session.providers.price(formationOf(session.loaded).profile.model));
}
