import type { JsonValue } from '../core/canonical-json.js';
import { crashPoint } from '../core/crash-points.js';
import { messageOf, parityRefused } from '../core/errors.js';
import { type Journal, openJournal } from '../core/journal.js';
import type { Question } from '../fixture/question.js';
import { looksQuestionsUp } from './arm-needs.js';
import type { Task } from './arm-order.js';
import { asking } from './asking/ask.js';
import { type Asked, notAsked } from './asking/asked.js';
import type { Observation } from './asking/observation.js';
import { laySharedCosts, makeRow, withEarlierTries } from './asking/row.js';
import type { Cause } from './asking/row-cause.js';
import type { Block } from './block.js';
import { isRefusal } from './budget-gate.js';
import type { Cell } from './cell.js';
import { askedOutcome, type CellOutcome, errorsOf } from './cell-outcome.js';
import type { LiveFormation } from './formation/live-formation.js';
import { type CommittedRows, isLost, rowKey } from './resuming/committed-rows.js';
import { missScorer } from './summary/arm-misses.js';
import { missTeller } from './summary/misses.js';

/** An open cell while its questions are asked. */
export class RunningCell {
  /** Durable rows by `rowKey`: those of earlier sessions, and each new one once it is committed. */
  readonly #rows: Map<string, Observation>;
  /** Rows of questions that were not asked: no results yet. */
  readonly #unasked = new Map<string, Observation>();
  /** What kept questions from being asked. What failed stands in its row. */
  readonly #errors: unknown[] = [];

  private constructor(
    private readonly block: Block,
    private readonly cell: Cell,
    private readonly journal: Journal,
    committed: CommittedRows,
    private readonly formation: LiveFormation,
  ) {
    this.#rows = new Map(committed.rows);
  }

  /** @throws kind `parity` where earlier rows of this cell were read from another state (FB-16): two states never share a cell. */
  static assertSameState(cell: Cell, { rows }: CommittedRows): void {
    const other = [...rows.values()].find((row) => row.state !== cell.state.digest);
    if (other === undefined) return;
    throw parityRefused(
      'STATE_CHANGED_SINCE',
      `${cell.arm.name} was formed anew as ${cell.state.digest}, and its earlier rows were read from ${other.state}`,
      { remedy: 'what is formed live cannot be formed again: start a new run, or record a bank' },
    );
  }

  static async start(
    block: Block,
    cell: Cell,
    committed: CommittedRows,
    formation: LiveFormation,
  ): Promise<RunningCell> {
    await block.folder.prepareArm(cell.arm.name);
    const path = block.folder.rowsPath(cell.arm.name, block.id);
    const journal = await openJournal(path, committed.hasJournal ? 'append' : 'create');
    return new RunningCell(block, cell, journal, committed, formation);
  }

  /** Whether its questions are to be prepared (SQ-2). */
  get looksQuestionsUp(): boolean {
    return this.cell.uses_vectors && looksQuestionsUp(this.cell.arm);
  }

  /** Whether a task is still to be asked: it has no durable row, or one that the provider lost and the user wants tried again. */
  isDue(task: Pick<Task, 'question' | 'repeat'>): boolean {
    const row = this.#rows.get(rowKey(task));
    return row === undefined || (this.block.retryFailed && isLost(row));
  }

  /** @returns whether it was asked: a question that the budget or a stop kept back has no result yet. */
  async askOne(task: Task, question: Question): Promise<boolean> {
    const asked = await this.#asked(question);
    const key = rowKey(task);
    const row = makeRow(this.block.rows, this.cell, task, asked);
    if (asked.outcome.kind !== 'answered' && asked.outcome.kind !== 'failed') {
      // What was not asked is no result yet: a resumed run asks it.
      if (asked.error !== null) this.#errors.push(asked.error);
      this.#unasked.set(key, row);
      return false;
    }
    const whole = withEarlierTries(row, this.#rows.get(key));
    // Committed once, durably (OB-5).
    await this.journal.append(whole as unknown as JsonValue);
    crashPoint('row-committed');
    this.#rows.set(key, whole);
    return true;
  }

  async #asked(question: Question): Promise<Asked> {
    const { fixture, gate, session, stop } = this.block;
    if (session.signal.aborted)
      return notAsked(stopped('interrupted', 'INTERRUPTED', 'the run was interrupted'), 'skipped');
    if (stop.cause !== null) return notAsked(stop.cause, 'skipped');
    const label = fixture.labels.get(question.id) as NonNullable<ReturnType<typeof fixture.labels.get>>;
    try {
      const asked = await gate.pass(asking(this.block, this.cell, question, label));
      // A server that is lost is lost for every question after this one.
      if (asked?.outcome.cause?.stage === 'database') stop.cause ??= asked.outcome.cause;
      if (asked !== null) return asked;
      return notAsked(stopped('budget', 'BUDGET_STOP', 'not asked: the budget had stopped the run'), 'skipped');
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return { ...notAsked(stopped('budget', error.code, messageOf(error)), 'refused'), error };
    }
  }

  /** Lets go of the journal; for a block that could not be finished. */
  close(): Promise<void> {
    return this.journal.close();
  }

  /** The rows in load order. Places, load and labels are those of the present load: an extension changes them. */
  rowsInOrder(): Observation[] {
    const { load, labels } = this.block.rows;
    return this.block.load.flatMap(({ question, repeat }, position) => {
      const key = rowKey({ question: question.id, repeat });
      const row = this.#rows.get(key) ?? this.#unasked.get(key);
      return row === undefined ? [] : [{ ...row, position, load, labels }];
    });
  }

  /** Finalises the rows in load order, with the judges' verdicts, the causes of misses and the cell's shared costs laid on them. */
  async finish(judged: (row: Observation) => Observation): Promise<CellOutcome> {
    await this.journal.close();
    const { arm, parity, replayed_calls, state } = this.cell;
    const { block } = this;
    const { analysis, scoring } = block.session.loaded.matrix;
    const told = missTeller(missScorer(analysis, scoring), block.fixture, this.cell);
    const rows = laySharedCosts(this.rowsInOrder().map(judged).map(told), this.cell, block.sharedCosts(this.cell));
    await block.folder.finaliseRows(arm.name, block.id, rows);
    crashPoint('cell-finalised');
    return askedOutcome(rows, {
      arm: arm.name,
      parity,
      replayed_calls,
      errors: [...errorsOf(rows), ...this.#errors],
      live_state: parity === 'unpaired' ? state : null,
      formation: this.formation,
    });
  }
}

function stopped(stage: 'interrupted' | 'budget', code: string, message: string): Cause {
  return { stage, kind: stage, code, message, remedy: null, own_making: false };
}
