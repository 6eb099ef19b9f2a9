import type { Digest } from '../core/digest.js';
import { writeExclusive } from '../core/durable-files.js';
import { bankRefused } from '../core/errors.js';
import { scanForConfigured, scanForSecrets } from '../core/secret-scan.js';
import type { SealedState } from '../parity/parity.js';
import type { BankFile } from './bank.js';
import { type BankParts, bankBytes, sealBank } from './bank-format.js';
import { bankPath } from './bank-names.js';
import { holdsSecret } from './holds-secret.js';
import { stateBytes, writeState } from './state-file.js';

/** What a seal is made of. */
export interface SealParts {
  readonly folder: string;
  readonly fixture: string;
  readonly bank: Omit<BankParts, 'state'>;
  readonly state: SealedState;
  readonly secrets: readonly string[];
}

/** The durable steps of sealing, told in order: where a crash may fall (RS-1). */
export type SealStep = 'state-written' | 'seal-journalled' | 'bank-linked';

/**
 * Seals a recording (FB-10): scanned, then the state's file, the journal's seal, and last the bank itself, so that a bank is never there
 * without its state, and a seal that names an existing bank means finished (FB-9). Whatever the crash, no half file is accepted.
 *
 * @throws `BANK_HOLDS_SECRET`, `BANK_TOO_LARGE` (exit 5) before anything is written.
 */
export async function writeSealed(
  parts: SealParts,
  journalSeal: (bank: Digest) => Promise<void>,
  onStep: (step: SealStep) => Promise<void>,
): Promise<BankFile> {
  const { digest, beliefs, people } = parts.state;
  const bank = sealBank({ ...parts.bank, state: { digest, beliefs, people } });
  const path = bankPath(parts.folder, parts.fixture, bank.digest);
  const state = stateBytes(parts.state);
  await refuseSecrets(bank, parts.state, parts.secrets);
  await writeState(path, state);
  await onStep('state-written');
  await journalSeal(bank.digest);
  await onStep('seal-journalled');
  const bytes = bankBytes(bank);
  if (!(await writeExclusive(path, bytes))) {
    throw bankRefused('BANK_EXISTS', `${path} is there already, and a bank is never replaced`, {
      remedy: 'start again: that bank will be replayed',
    });
  }
  await onStep('bank-linked');
  return { path, bytes: bytes.byteLength, bank };
}

async function refuseSecrets(bank: unknown, state: SealedState, secrets: readonly string[]): Promise<void> {
  const inBank = await scanForSecrets(bank, secrets);
  if (inBank.length > 0) throw holdsSecret('the bank to be sealed', inBank);
  const inState = scanForConfigured(state.state, secrets);
  if (inState.length > 0) throw holdsSecret('the state to be sealed', inState);
}
