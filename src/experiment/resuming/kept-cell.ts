import type { Block } from '../block.js';
import { askedOutcome, type CellOutcome, errorsOf } from '../cell-outcome.js';
import { type LiveFormation, readLiveCell } from '../formation/live-formation.js';
import { type CommittedRows, isLost, isUnjudged, rowKey } from './committed-rows.js';

/**
 * The outcome of a cell that an earlier session finished, from its files: it is neither formed nor asked again. Null where anything of
 * it is still to be done.
 */
export async function keptCell(block: Block, arm: string, committed: CommittedRows): Promise<CellOutcome | null> {
  const { rows: durable, finalised } = committed;
  const rows = block.load.flatMap(
    ({ question, repeat }) => durable.get(rowKey({ question: question.id, repeat })) ?? [],
  );
  const isWhole = finalised && rows.length === block.load.length && durable.size === rows.length;
  const isOfThisLoad = rows.every((row, position) => row.position === position && row.load === block.rows.load);
  const [first] = rows;
  if (!isWhole || !isOfThisLoad || first === undefined || (block.retryFailed && rows.some(isLost))) return null;
  if (rows.some(isUnjudged)) return null;
  const live = first.parity === 'unpaired' ? await readLiveCell(block.folder, block.id, arm) : null;
  if (first.parity === 'unpaired' && live === null) return null;
  return askedOutcome(rows, {
    arm,
    parity: first.parity,
    replayed_calls: first.replayed_calls,
    errors: errorsOf(rows),
    live_state: live?.state ?? null,
    formation: live?.formation ?? NO_FORMATION,
  });
}

const NO_FORMATION: LiveFormation = { calls: 0, actual_nano_usd: 0n, reported_models: [] };
