import pLimit from 'p-limit';
import type { ArmSettings } from '../matrix/matrix.js';
import { taskOrder } from './arm-order.js';
import { CallAccount } from './asking/call-account.js';
import type { Block } from './block.js';
import { blockName, blockTitle } from './block-id.js';
import { isRefusal } from './budget-gate.js';
import { type Cell, openCell } from './cell.js';
import { type CellOutcome, unopenedOutcome } from './cell-outcome.js';
import { keepLiveCell, type LiveFormation, liveFormation, readLiveCell } from './formation/live-formation.js';
import { type CommittedRows, NO_ROWS } from './resuming/committed-rows.js';
import { keptCell } from './resuming/kept-cell.js';
import { RunningCell } from './running-cell.js';
import { tell } from './session.js';

/**
 * Forms every arm's cell, asks every question in MX-9's order, and writes the rows. Cells that an earlier session finished are left as
 * they are; of the others, only what has no durable row is asked (OB-5).
 */
export async function runBlock(block: Block): Promise<readonly CellOutcome[]> {
  const openings = await openCells(block);
  const opened = [...openings.values()].flatMap((opening) => (opening.kind === 'open' ? [opening] : []));
  const running = new Map<string, RunningCell>();
  try {
    await allOrFirstFailure(
      opened.map(async ({ cell, committed, formation }) => {
        running.set(cell.arm.name, await RunningCell.start(block, cell, committed, formation));
      }),
    );
    await askAll(block, running);
    const judged = await block.judge([...running.values()].flatMap((cell) => cell.rowsInOrder()));
    return await allOrFirstFailure(
      block.arms.map(async ({ name }) => {
        const opening = openings.get(name) as Opening;
        return opening.kind === 'open' ? (running.get(name) as RunningCell).finish(judged) : opening.outcome;
      }),
    );
  } finally {
    for (const cell of running.values()) await cell.close();
    for (const { cell } of opened) block.session.postgres.dropLater(cell.database);
  }
}

/** Waits for all, also where one fails, so that nothing goes on behind its caller's back; then the first failure in order is thrown. */
async function allOrFirstFailure<Value>(promises: readonly Promise<Value>[]): Promise<Value[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

type Opening =
  | {
      readonly kind: 'open';
      readonly cell: Cell;
      readonly committed: CommittedRows;
      readonly formation: LiveFormation;
    }
  /** Finished by an earlier session, or not to be opened. */
  | { readonly kind: 'outcome'; readonly outcome: CellOutcome };

async function openCells(block: Block): Promise<Map<string, Opening>> {
  const { session } = block;
  const limit = pLimit(session.loaded.matrix.concurrency);
  let done = 0;
  const openings = await Promise.all(
    block.arms.map((arm) =>
      limit(async () => {
        const opening = await open(block, arm);
        done += 1;
        tell(session, `${blockTitle(block.id)}: forming and checking`, done, block.arms.length);
        return [arm.name, opening] as const;
      }),
    ),
  );
  return new Map(openings);
}

async function open(block: Block, arm: ArmSettings): Promise<Opening> {
  const { session, fixture, vectors, formed } = block;
  const committed = block.committed.get(arm.name) ?? NO_ROWS;
  const kept = await keptCell(block, arm.name, committed);
  if (kept !== null) return { kind: 'outcome', outcome: kept };
  const account = new CallAccount();
  try {
    const cell = await openCell(session, fixture, arm, formed, vectors, account);
    try {
      RunningCell.assertSameState(cell, committed);
      return { kind: 'open', cell, committed, formation: await keepIfLive(block, cell, account) };
    } catch (error) {
      await cell.database.drop();
      throw error;
    }
  } catch (error) {
    // An arm that the budget kept from forming must not leave the others more to ask with (MX-9).
    if (isRefusal(error)) block.gate.close(error);
    // A refused state stops its arm and leaves the others running (ST-3).
    return { kind: 'outcome', outcome: unopenedOutcome(arm.name, error, liveFormation(account)) };
  }
}

/** What was paid for a cell that an earlier session formed, and did not finish, is paid all the same. */
async function keepIfLive(block: Block, cell: Cell, account: CallAccount): Promise<LiveFormation> {
  const formation = liveFormation(account);
  if (cell.parity !== 'unpaired') return formation;
  const earlier = await readLiveCell(block.folder, block.id, cell.arm.name);
  const whole = {
    ...formation,
    actual_nano_usd: formation.actual_nano_usd + (earlier?.formation.actual_nano_usd ?? 0n),
  };
  await keepLiveCell(block.folder, block.id, cell.arm.name, { state: cell.state, formation: whole });
  return whole;
}

/** The questions that some arm looks up and has still to ask, in load order: they fix the groups in which they are prepared (SQ-9). */
function expectQueries(block: Block, cells: ReadonlyMap<string, RunningCell>): void {
  const looking = [...cells.values()].filter((cell) => cell.looksQuestionsUp);
  const due = block.load.filter(({ question, repeat }) =>
    looking.some((cell) => cell.isDue({ question: question.id, repeat })),
  );
  block.queries?.expect(due.map(({ question }) => question));
}

async function askAll(block: Block, cells: ReadonlyMap<string, RunningCell>): Promise<void> {
  const { session } = block;
  const { seed, concurrency } = session.loaded.matrix;
  const load = block.load.map(({ question, repeat }) => ({ question: question.id, repeat }));
  const arms = block.arms.map(({ name }) => name).filter((name) => cells.has(name));
  const tasks = taskOrder(seed, blockName(block.id), load, arms).filter((task) =>
    (cells.get(task.arm) as RunningCell).isDue(task),
  );
  expectQueries(block, cells);
  const limit = pLimit(concurrency);
  let done = 0;
  let broken = false;
  const asked = await Promise.allSettled(
    tasks.map((task) =>
      limit(async () => {
        if (broken) return;
        const { question } = block.load[task.position] as Block['load'][number];
        try {
          if (!(await (cells.get(task.arm) as RunningCell).askOne(task, question))) return;
        } catch (error) {
          broken = true;
          throw error;
        }
        done += 1;
        tell(session, `${blockTitle(block.id)}: asking`, done, tasks.length);
      }),
    ),
  );
  // What is thrown here is no outcome of a question (a row that cannot be written): those in flight are settled first.
  const failure = asked.find((result) => result.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}
