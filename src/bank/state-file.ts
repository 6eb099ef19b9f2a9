import { z } from 'zod';
import { canonicalJson } from '../core/canonical-json.js';
import { digestJson } from '../core/digest.js';
import { writeExclusive } from '../core/durable-files.js';
import { bankRefused, internalFault, type RecallMatrixError } from '../core/errors.js';
import type { BeliefState, SealedState } from '../parity/parity.js';
import type { Bank } from './bank.js';
import { statePath } from './bank-names.js';
import { decodeCanonicalLine } from './canonical-file.js';
import { readRegularFile } from './regular-file.js';

/** The most bytes of a state's file: a snapshot also holds the turns, so it may be larger than its bank. */
export const STATE_LIMIT_BYTES = 67_108_864;

/** A belief state as files hold it. */
export const beliefStateSchema = z.strictObject({
  format: z.literal('belief-state@1'),
  tables: z.record(z.string(), z.array(z.record(z.string(), z.json()))),
}) as unknown as z.ZodType<BeliefState>;

/** A state's file: its canonical JSON and a line feed (ST-4). */
export function stateBytes(sealed: SealedState): Buffer {
  const computed = digestJson(sealed.state);
  if (computed !== sealed.digest) {
    throw internalFault(
      'STATE_DIGEST_DIFFERS',
      `the state has digest ${computed}, and was handed over as ${sealed.digest}`,
    );
  }
  const bytes = Buffer.from(`${canonicalJson(sealed.state)}\n`, 'utf8');
  if (bytes.byteLength > STATE_LIMIT_BYTES) throw tooLarge('the state to be sealed', bytes.byteLength);
  return bytes;
}

/** Writes the state beside its bank, before the bank. Equal bytes that a crash left there are taken over. */
export async function writeState(bankFile: string, bytes: Buffer): Promise<void> {
  const path = statePath(bankFile);
  if (await writeExclusive(path, bytes)) return;
  const there = await readRegularFile(path, STATE_LIMIT_BYTES, (size) => tooLarge(path, size));
  if (there === null || !there.equals(bytes)) throw changed(path, 'another file of that name is there');
}

/**
 * Reads the state that a bank seals (ST-4).
 *
 * @throws `BANK_STATE_MISSING`, `BANK_STATE_CHANGED` or `BANK_STATE_TOO_LARGE` (exit 5).
 */
export async function readState(bankFile: string, bank: Pick<Bank, 'state'>): Promise<BeliefState> {
  const path = statePath(bankFile);
  const bytes = await readRegularFile(path, STATE_LIMIT_BYTES, (size) => tooLarge(path, size));
  if (bytes === null) {
    throw bankRefused('BANK_STATE_MISSING', `${path}, the state that the bank seals, is not there`, {
      remedy: 'copy it from where the bank was recorded: it lies beside the bank',
    });
  }
  const result = beliefStateSchema.safeParse(decodeCanonicalLine(bytes, (why) => changed(path, why)));
  if (!result.success) throw changed(path, 'its form is wrong');
  const computed = digestJson(result.data);
  if (computed !== bank.state.digest) {
    throw changed(path, `its content has digest ${computed}, and the bank seals ${bank.state.digest}`);
  }
  return result.data;
}

function changed(path: string, why: string): RecallMatrixError {
  return bankRefused('BANK_STATE_CHANGED', `${path} is not the state that the bank seals: ${why}`, {
    remedy: 'restore the file from where it was recorded, or move bank and state away and record anew',
  });
}

function tooLarge(path: string, bytes: number): RecallMatrixError {
  return bankRefused('BANK_STATE_TOO_LARGE', `${path} has ${bytes} bytes; a state has at most ${STATE_LIMIT_BYTES}`, {
    remedy: 'split the history into smaller fixtures',
  });
}
