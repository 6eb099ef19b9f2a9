import { counted } from '../core/counted.js';
import { kindOf, messageOf } from '../core/errors.js';
import { isModuleFailure } from '../module/module.js';
import type { SealedState } from '../parity/parity.js';
import { refusesEveryCall } from '../provider/refusals.js';
import type { Observation } from './asking/observation.js';
import { errorOf } from './asking/row-cause.js';
import type { ArmStatus, ParityStatus } from './experiment.js';
import type { LiveFormation } from './formation/live-formation.js';

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
  readonly live_state: SealedState | null;
  /** The cell's own live formation; without calls where a bank was replayed. */
  readonly formation: LiveFormation;
}

/** A cell whose questions were asked, or would have been. */
export function askedOutcome(
  rows: readonly Observation[],
  cell: Pick<CellOutcome, 'arm' | 'parity' | 'replayed_calls' | 'errors' | 'live_state' | 'formation'>,
): CellOutcome {
  return { ...cell, ...statusOf(rows), rows };
}

/** What the failed rows of earlier sessions went wrong by: they count as those of this one do. */
export function errorsOf(rows: Iterable<Observation>): unknown[] {
  return [...rows].flatMap(({ outcome }) =>
    outcome.kind === 'failed' && outcome.cause !== null ? [errorOf(outcome.cause)] : [],
  );
}

/** A cell that did not open: refused by its bank, its state or its policy module, or stopped before its first question. */
export function unopenedOutcome(arm: string, error: unknown, formation: LiveFormation): CellOutcome {
  const kind = kindOf(error);
  const isRefusal = kind === 'bank' || kind === 'parity' || isModuleFailure(error);
  const isStopped = kind === 'budget' || kind === 'interrupted' || kind === 'database' || refusesEveryCall(error);
  return {
    arm,
    status: isRefusal ? 'refused' : isStopped ? 'incomplete' : 'failed',
    reason: messageOf(error),
    parity: kind === 'parity' ? 'changed' : 'not-reached',
    replayed_calls: 0,
    rows: [],
    errors: [error],
    live_state: null,
    formation,
  };
}

function statusOf(rows: readonly Observation[]): { status: ArmStatus; reason: string | null } {
  const lost = rows.filter((row) => row.outcome.kind !== 'answered');
  if (lost.length === 0) return { status: 'complete', reason: null };
  const first = lost.find((row) => row.outcome.kind === 'refused') ?? (lost[0] as Observation);
  const stopped = lost.some((row) => row.outcome.kind === 'refused' || row.outcome.kind === 'skipped');
  return {
    status: stopped ? 'incomplete' : 'failed',
    reason: `${lost.length} of ${counted(rows.length, 'question')} without an answer; first: ${first.outcome.cause?.code}: ${first.outcome.cause?.message}`,
  };
}
