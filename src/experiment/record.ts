import { type ErrorKind, invalidInput } from '../core/errors.js';
import { CallAccount } from './call-account.js';
import { openFixture } from './examined-fixture.js';
import type { FormationResult, RecordResult } from './experiment.js';
import { recordBank, replayBank, whyRecorded } from './formation-bank.js';
import { bankCost } from './formation-cost.js';
import { type RunOptions, withSession } from './open-session.js';
import { type PreparedRun, prepareRun } from './prepare-run.js';
import type { RunFolder } from './run-folder.js';
import {
  distinctProblems,
  type FinishedFixture,
  type FixtureResult,
  finishFixture,
  ledgerResult,
} from './run-result.js';
import { formationOf, type Session } from './session.js';

/** A recording that went as far as it could. */
export interface RecordOutcome {
  readonly result: RecordResult;
  readonly kinds: readonly ErrorKind[];
}

/** Records the banks that a matrix's fixtures lack; those that fit are left alone. */
export async function recordMatrix(options: RunOptions): Promise<RecordOutcome> {
  const prepared = await prepareRun(options.matrixPath, options.overrides, options);
  if (prepared.plans.some(({ action }) => action === 'live' || action === 'none')) {
    const why = 'the matrix has no banks: its formation is `none`, or its bank mode is off';
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
    fixtures.push(finishFixture(await recordOne(session, plan, record)));
  }
  const formation: FormationResult[] = fixtures.map((fixture) => fixture.formation);
  const isWhole = formation.length === prepared.plans.length && formation.every(({ source }) => source !== 'failed');
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
  plan: PreparedRun['plans'][number],
  record: typeof recordBank,
): Promise<FixtureResult> {
  const recording = new CallAccount();
  const nothingAsked = {
    fixture: plan.fixture,
    recording,
    recorded_before_nano_usd: 0n,
    outcomes: [],
    questions: 0,
    labels: [],
  };
  try {
    if (plan.action === 'record' && record === recordBank) session.progress({ kind: 'note', text: whyRecorded(plan) });
    const formed =
      plan.found === null
        ? await record(session, await openFixture(plan.fixture), plan, recording)
        : await replayBank(plan.found);
    const price = session.providers.price(formationOf(session.loaded).profile.model);
    const cost = formed.kind === 'bank' ? bankCost(formed.file.bank, price) : { usage: null, nano_usd: null };
    return { ...nothingAsked, formed, cost, errors: [] };
  } catch (error) {
    return { ...nothingAsked, formed: null, cost: { usage: null, nano_usd: null }, errors: [{ error, arm: null }] };
  }
}
