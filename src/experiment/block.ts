import pLimit from 'p-limit';
import type { JsonValue } from '../core/canonical-json.js';
import { kindOf, RecallMatrixError } from '../core/errors.js';
import { type Journal, openJournal } from '../core/journal.js';
import type { Question } from '../fixture/question.js';
import type { ArmSettings } from '../matrix/matrix.js';
import { type Task, taskOrder } from './arm-order.js';
import { type Asked, type AskingTools, ask, notAsked } from './ask.js';
import { type BudgetGate, isRefusal } from './budget-gate.js';
import { CallAccount } from './call-account.js';
import { type Cell, openCell } from './cell.js';
import type { ArmStatus, ParityStatus } from './experiment.js';
import type { FixtureFormation } from './formation-bank.js';
import type { Observation } from './observation.js';
import { laySharedCosts, makeRow, type RowContext, type SharedCosts } from './row.js';
import type { RunVectors } from './run-vectors.js';
import { tell } from './session.js';

/** One fixture under all arms (the unit of scheduling). */
export interface Block extends AskingTools {
  readonly arms: readonly ArmSettings[];
  readonly formed: FixtureFormation;
  readonly load: readonly { readonly question: Question; readonly repeat: number }[];
  readonly rows: RowContext;
  readonly vectors: RunVectors | null;
  readonly gate: BudgetGate;
  /** What the bank's, or the cell's own live, formation and the index cost alone. */
  sharedCosts(cell: Cell): SharedCosts;
}

/** What a block made of one arm. */
export interface CellOutcome {
  readonly arm: string;
  readonly status: ArmStatus;
  readonly reason: string | null;
  readonly parity: ParityStatus;
  readonly replayed_calls: number;
  readonly rows: readonly Observation[];
  /** Everything that went wrong, in order. */
  readonly errors: readonly unknown[];
  /** The state of the cell, where it was formed live. */
  readonly live_state: Cell['state'] | null;
  /** The cell's own live formation; without calls where a bank was replayed. */
  readonly formation: CallAccount;
}

/** Forms every arm's cell, asks every question in MX-9's order, and writes the rows. */
export async function runBlock(block: Block): Promise<readonly CellOutcome[]> {
  const accounts = new Map(block.arms.map(({ name }) => [name, new CallAccount()]));
  const opened = await openCells(block, accounts);
  const cells = [...opened.values()].flatMap((cell) => (cell instanceof OpenFailure ? [] : [cell]));
  try {
    const started = cells.map(async (cell) => [cell.arm.name, await RunningCell.start(block, cell)] as const);
    const running = new Map(await allOrFirstFailure(started));
    await askAll(block, running);
    return await allOrFirstFailure(
      block.arms.map(async (arm) => {
        const cell = opened.get(arm.name);
        return cell instanceof OpenFailure
          ? refused(arm, cell.error, accounts.get(arm.name) as CallAccount)
          : (running.get(arm.name) as RunningCell).finish();
      }),
    );
  } finally {
    for (const cell of cells) block.session.postgres.dropLater(cell.database);
  }
}

/** Waits for all, also where one fails, so that nothing goes on behind its caller's back; then the first failure in order is thrown. */
async function allOrFirstFailure<Value>(promises: readonly Promise<Value>[]): Promise<Value[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

class OpenFailure {
  constructor(readonly error: unknown) {}
}

async function openCells(
  block: Block,
  accounts: ReadonlyMap<string, CallAccount>,
): Promise<Map<string, Cell | OpenFailure>> {
  const { session, fixture, vectors, queries } = block;
  const limit = pLimit(session.loaded.matrix.concurrency);
  let done = 0;
  const cells = await Promise.all(
    block.arms.map((arm) =>
      limit(async () => {
        // A refused state stops its arm and leaves the others running (ST-3).
        const cell = await openCell(
          session,
          fixture,
          arm,
          block.formed,
          vectors,
          queries,
          accounts.get(arm.name) as CallAccount,
        ).catch((error: unknown) => {
          // An arm that the budget kept from forming must not leave the others more to ask with (MX-9).
          if (isRefusal(error)) block.gate.close(error);
          return new OpenFailure(error);
        });
        done += 1;
        tell(session, `${fixture.manifest.id}: forming and checking`, done, block.arms.length);
        return [arm.name, cell] as const;
      }),
    ),
  );
  return new Map(cells);
}

async function askAll(block: Block, cells: ReadonlyMap<string, RunningCell>): Promise<void> {
  const { session, fixture } = block;
  const { seed, concurrency } = session.loaded.matrix;
  const load = block.load.map(({ question, repeat }) => ({ question: question.id, repeat }));
  const tasks = taskOrder(
    seed,
    fixture.manifest.id,
    load,
    block.arms.map(({ name }) => name).filter((name) => cells.has(name)),
  );
  const limit = pLimit(concurrency);
  let done = 0;
  let broken = false;
  const asked = await Promise.allSettled(
    tasks.map((task) =>
      limit(async () => {
        if (broken) return;
        const { question } = block.load[task.position] as Block['load'][number];
        try {
          await (cells.get(task.arm) as RunningCell).askOne(task, question);
        } catch (error) {
          broken = true;
          throw error;
        }
        done += 1;
        tell(session, `${fixture.manifest.id}: asking`, done, tasks.length);
      }),
    ),
  );
  // What is thrown here is no outcome of a question (a row that cannot be written): those in flight are settled first.
  const failure = asked.find((result) => result.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}

/** A cell while its questions are asked. */
class RunningCell {
  readonly #rows: Observation[] = [];
  readonly #errors: unknown[] = [];

  private constructor(
    private readonly block: Block,
    private readonly cell: Cell,
    private readonly journal: Journal,
  ) {}

  static async start(block: Block, cell: Cell): Promise<RunningCell> {
    await block.folder.prepareArm(cell.arm.name);
    const journal = await openJournal(block.folder.rowsPath(cell.arm.name, block.fixture.manifest.id), 'create');
    return new RunningCell(block, cell, journal);
  }

  async askOne(task: Task, question: Question): Promise<void> {
    const asked = await this.#asked(question);
    if (asked.error !== null) this.#errors.push(asked.error);
    const row = makeRow(this.block.rows, this.cell, task, asked);
    this.#rows.push(row);
    // Committed once, durably (OB-5). What was not asked is no result yet: a resumed run asks it.
    if (asked.outcome.kind === 'answered' || asked.outcome.kind === 'failed')
      await this.journal.append(row as unknown as JsonValue);
  }

  async #asked(question: Question): Promise<Asked> {
    const { fixture, gate, session } = this.block;
    if (session.signal.aborted) {
      return notAsked(
        { stage: 'interrupted', code: 'INTERRUPTED', message: 'the run was interrupted', own_making: false },
        'skipped',
      );
    }
    const label = fixture.labels.get(question.id) as NonNullable<ReturnType<typeof fixture.labels.get>>;
    try {
      const asked = await gate.pass(() => ask(this.block, this.cell, question, label));
      if (asked !== null) return asked;
      return notAsked(
        {
          stage: 'budget',
          code: 'BUDGET_STOP',
          message: 'not asked: the budget had stopped the run',
          own_making: false,
        },
        'skipped',
      );
    } catch (error) {
      if (!(error instanceof RecallMatrixError) || error.kind !== 'budget') throw error;
      return {
        ...notAsked({ stage: 'budget', code: error.code, message: error.message, own_making: false }, 'refused'),
        error,
      };
    }
  }

  /** Finalises the rows in load order, with the cell's shared costs laid on them. */
  async finish(): Promise<CellOutcome> {
    await this.journal.close();
    const { arm, formation, parity, replayed_calls, state } = this.cell;
    const inOrder = this.#rows.sort((a, b) => a.position - b.position);
    const rows = laySharedCosts(inOrder, this.cell, this.block.sharedCosts(this.cell));
    await this.block.folder.finaliseRows(arm.name, this.block.fixture.manifest.id, rows);
    return {
      arm: arm.name,
      ...statusOf(rows),
      parity,
      replayed_calls,
      rows,
      errors: this.#errors,
      live_state: parity === 'unpaired' ? state : null,
      formation,
    };
  }
}

function statusOf(rows: readonly Observation[]): { status: ArmStatus; reason: string | null } {
  const lost = rows.filter((row) => row.outcome.kind !== 'answered');
  if (lost.length === 0) return { status: 'complete', reason: null };
  const first = lost.find((row) => row.outcome.kind === 'refused') ?? (lost[0] as Observation);
  const stopped = lost.some((row) => row.outcome.kind === 'refused' || row.outcome.kind === 'skipped');
  return {
    status: stopped ? 'incomplete' : 'failed',
    reason: `${lost.length} of ${rows.length} questions without an answer; first: ${first.outcome.cause?.code}: ${first.outcome.cause?.message}`,
  };
}

function refused(arm: ArmSettings, error: unknown, formation: CallAccount): CellOutcome {
  const kind = kindOf(error);
  const isRefusal = kind === 'bank' || kind === 'parity';
  return {
    arm: arm.name,
    status: isRefusal ? 'refused' : kind === 'budget' || kind === 'interrupted' ? 'incomplete' : 'failed',
    reason: error instanceof Error ? error.message : String(error),
    parity: kind === 'parity' ? 'changed' : 'not-reached',
    replayed_calls: 0,
    rows: [],
    errors: [error],
    live_state: null,
    formation,
  };
}
