import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { DIGEST_PATTERN, type Digest, digestJson } from '../../core/digest.js';
import { internalFault } from '../../core/errors.js';
import type { BeliefState, SealedState } from '../../parity/parity.js';
import type { CallAccount } from '../asking/call-account.js';
import type { BlockId } from '../block-id.js';
import type { RunFolder } from '../run-folder.js';
import { jsonAmount } from '../summary/amounts.js';

/** The calls of one cell's own formation (`bank: off`); none where a bank was replayed. */
export interface LiveFormation {
  readonly calls: number;
  readonly actual_nano_usd: bigint;
  readonly reported_models: readonly string[];
}

/** A cell that was formed live: what no bank can bring back. */
export interface LiveCell {
  readonly state: SealedState;
  readonly formation: LiveFormation;
}

const fileSchema = z.strictObject({
  format: z.literal('live-formation@1'),
  state: z.custom<Digest>((value) => typeof value === 'string' && DIGEST_PATTERN.test(value)),
  beliefs: z.int().min(0),
  people: z.int().min(0),
  calls: z.int().min(0),
  actual_nano_usd: z.int().min(0),
  reported_models: z.array(z.string()),
});

/** What an account says of a cell's formation. */
export function liveFormation(account: CallAccount): LiveFormation {
  const { actual_nano_usd, reported_models } = account;
  return { calls: account.mark(), actual_nano_usd, reported_models };
}

/** Keeps a cell's state, and what forming it took, before any of its questions is asked. */
export async function keepLiveCell(folder: RunFolder, block: BlockId, arm: string, cell: LiveCell): Promise<void> {
  const { digest, beliefs, people } = cell.state;
  const { calls, actual_nano_usd, reported_models } = cell.formation;
  await folder.writeState(block, arm, cell.state.state);
  await folder.writeState(block, `${arm}.formation`, {
    format: 'live-formation@1',
    state: digest,
    beliefs,
    people,
    calls,
    actual_nano_usd: jsonAmount(actual_nano_usd),
    reported_models: [...reported_models],
  } satisfies z.input<typeof fileSchema>);
}

/** What an earlier session kept of a cell; null where it did not come so far. */
export async function readLiveCell(folder: RunFolder, block: BlockId, arm: string): Promise<LiveCell | null> {
  const path = folder.statePath(block, `${arm}.formation`);
  const kept = await jsonOf(path);
  if (kept === null) return null;
  const { state: digest, beliefs, people, ...formation } = fileSchema.parse(kept);
  const state = (await jsonOf(folder.statePath(block, arm))) as BeliefState | null;
  if (state === null || digestJson(state) !== digest)
    throw internalFault('LIVE_STATE_CHANGED', `the state beside ${path} is not the one that it names`, {
      remedy: 'restore the state file from a copy, or start a new run',
    });
  return {
    state: { state, digest, beliefs, people },
    formation: { ...formation, actual_nano_usd: BigInt(formation.actual_nano_usd) },
  };
}

async function jsonOf(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
