import { budgetRefused, type ErrorKind, interrupted, type RecallMatrixError } from '../../core/errors.js';
import type { FixtureOutline } from '../../fixture/fixture.js';
import type { LedgerTotals } from '../../ledger/ledger.js';
import type { LoadedMatrix } from '../../matrix/matrix.js';
import { BudgetGate } from '../budget-gate.js';
import { readJudgeLabels } from '../judging/judge-labels.js';
import { Judging } from '../judging/judging.js';
import { readRunLedger, refuseOtherHome } from '../ledger-home.js';
import { Providers } from '../providers.js';
import { runRecord } from '../reading/open-run-record.js';
import type { RescoreResult } from '../rescore-document.js';
import { type ContinueOptions, higherLimit, withPastRun } from '../resuming/continued-run.js';
import { refuseUnfinished } from '../resuming/finished-run.js';
import { refuseShortLedger } from '../resuming/past-rows.js';
import type { SendingSession } from '../session.js';
import { withJudges } from './open-rescoring.js';
import { recordedBlocks, surveyRows } from './recorded-blocks.js';
import { rescoreCommand } from './rescore-command.js';
import { changesOf, type RescoredFixture, rescoredFixtures } from './rescored-fixtures.js';
import { rescoredMatrix } from './rescored-matrix.js';
import type { RescoredParts } from './rescored-parts.js';
import { Rescoring } from './rescoring.js';
import { beginRescoring, finishRescoring, leaveRescoring } from './rescoring-session.js';

/** What `rescore` is told. */
export interface RescoreOptions extends ContinueOptions {
  /** Built-in scorers to be added. */
  readonly scorers: readonly string[];
  /** Whether answers are scored by labels that are not those of the run. */
  readonly labelsChanged: boolean;
}

/** A rescoring that came to its end, and the kinds of what went wrong with judges. */
export interface RescoreOutcome {
  readonly result: RescoreResult;
  readonly kinds: readonly ErrorKind[];
}

/**
 * Scores the stored answers of a finished run again, by more scorers or corrected labels; no reader is asked and nothing is formed. Judges' calls are
 * admitted by the run's own ledger (LG-1), and each verdict is durable: where this is stopped or killed, the run stays as it was, and the same command asks
 * only for what is missing.
 *
 * @throws what `withPastRun`, `rescoredMatrix` and `rescoredFixtures` throw; exit 2: `RUN_NOT_FINISHED`, `LEDGER_BEHIND_ROWS`, `BUDGET_LOWERED`,
 * `RUN_STATE_MISSING`; exit 4 where the budget stopped a judge; exit 130.
 */
export function rescoreRun(options: RescoreOptions): Promise<RescoreOutcome> {
  return withPastRun(options, async (past) => {
    const { folder, manifest } = past;
    refuseUnfinished(past, 'scored again');
    const loaded = await rescoredMatrix(manifest.run, past.loaded, options);
    const record = runRecord(folder.path, manifest, past.loaded);
    await refuseOtherHome(folder, manifest.ledger_home);
    const { totals } = await readRunLedger(folder.path, options);
    const { asked, paid } = await surveyRows(record);
    for (const [arm, sums] of paid) refuseShortLedger(folder, arm, sums, totals);
    const fixtures = await rescoredFixtures(manifest, loaded, asked, options.labelsChanged);
    const judgeLabels = await readJudgeLabels(loaded, outlinesOf(fixtures));
    const limit = higherLimit(options.budget, totals.limit_nano_usd);
    const parts = { past, record, loaded, fixtures, judgeLabels };
    const calls = await judgeCalls(options, parts);
    if (calls.length === 0) return scoreAll(options, parts, silentSession(options, loaded, totals), 0);
    const senders = calls.map((judge) => loaded.matrix.judges[judge]?.provider ?? '');
    options.progress({ kind: 'note', text: `${calls.length} verdicts to ask for: ${[...new Set(calls)].join(', ')}` });
    const budget = { limit, amendLimit: limit > totals.limit_nano_usd };
    return withJudges(options, { loaded, folder, senders }, budget, (session) =>
      scoreAll(options, parts, session, calls.length),
    );
  });
}

async function scoreAll(
  options: RescoreOptions,
  parts: RescoredParts,
  session: SendingSession,
  calls: number,
): Promise<RescoreOutcome> {
  const { past } = parts;
  const begun = await beginRescoring(past, options.clock);
  const gate = new BudgetGate();
  const judging = new Judging(session, past.folder, gate, parts.judgeLabels);
  const rescoring = await Rescoring.open(parts, session, judging, begun.folder, options.clock);
  try {
    for await (const block of recordedBlocks(parts.record)) {
      await rescoring.score(block);
      if (session.signal.aborted || gate.closedBy !== null) {
        throw stopped(gate.closedBy, rescoreCommand(past.folder.path, options));
      }
    }
    const result = await rescoring.result(session.ledger.totals(), rescoreCommand(past.folder.path));
    await finishRescoring({ ...parts, begun, result, clock: options.clock });
    return {
      result: {
        format: 'rescore-result@1',
        run: past.folder.id,
        path: past.folder.path,
        rows_folder: begun.folder.rows as string,
        rows: rescoring.changes.rows,
        scorers: rescoring.changes.scorers,
        labels_changed: changesOf(parts.fixtures).map(({ fixture }) => fixture),
        verdicts_asked: calls,
        resume: result.resume,
        result,
        problems: result.problems,
      },
      kinds: rescoring.problems.map(({ kind }) => kind),
    };
  } catch (error) {
    // Where not even that can be written, it is as if this had been killed.
    await leaveRescoring(past, begun, session.ledger.totals(), options.clock).catch(() => undefined);
    throw error;
  } finally {
    await rescoring.close();
  }
}

/** The judges that have still to be asked, one entry a verdict: before any key is read. */
async function judgeCalls(options: RescoreOptions, { past, record, loaded, fixtures, judgeLabels }: RescoredParts) {
  const session = silentSession(options, loaded, null);
  const judging = new Judging(session, past.folder, new BudgetGate(), judgeLabels);
  const calls: string[] = [];
  for await (const { id, cells } of recordedBlocks(record)) {
    const { outline } = fixtures.find(({ facts }) => facts.id === id.fixture) as RescoredFixture;
    const rows = cells.flatMap((cell) => cell.rows);
    const relabelled = rows.map((row) => ({
      ...row,
      answerable: outline.labels.get(row.question)?.answerable === true,
    }));
    calls.push(...(await judging.callsFor(outline, relabelled)));
  }
  return calls;
}

/** A session that cannot send: no key is read, and the ledger is only looked at. */
function silentSession(
  { clock, signal, progress }: RescoreOptions,
  loaded: LoadedMatrix,
  totals: LedgerTotals | null,
): SendingSession {
  const ledger = { totals: () => totals } as SendingSession['ledger'];
  return { loaded, signal, progress, ledger, providers: Providers.create(loaded, [], {}, clock) };
}

function outlinesOf(fixtures: readonly RescoredFixture[]): FixtureOutline[] {
  return fixtures.map(({ outline }) => outline);
}

function stopped(refusal: RecallMatrixError | null, command: string): RecallMatrixError {
  const stays = 'the run stays as it was, and verdicts that were given are kept';
  if (refusal === null) return interrupted(`stopped before every answer was judged: ${stays}`);
  return budgetRefused(refusal.code, `${refusal.message}; ${stays}`, {
    remedy: `raise the limit: ${command} --budget USD`,
    cause: refusal,
  });
}
