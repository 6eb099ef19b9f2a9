import type { Clock } from '../core/clock.js';
import { internalFault } from '../core/errors.js';
import type { SealedState } from '../parity/parity.js';
import type { Completion, CompletionProvider, CompletionRequest } from '../provider/completion.js';
import type { BankFile, BankIdentity } from './bank.js';

/** What a recording is made of. */
export interface RecordingOptions {
  readonly folder: string;
  readonly fixture: string;
  readonly identity: BankIdentity;
  /** The live, metered provider. */
  readonly inner: CompletionProvider;
  readonly clock: Clock;
  /** Configured secrets, that no bank may hold (FB-7). */
  readonly secrets: readonly string[];
  /** Why a completion cannot be recorded; null where it can (FB-11). */
  readonly unsupportedReason: (request: CompletionRequest, completion: Completion) => string | null;
}

/** A recording in progress. */
export interface Recording extends CompletionProvider {
  seal(parts: { readonly state: SealedState; readonly recordedAt: string }): Promise<BankFile>;
}

/** Starts a recording (FB-9). */
export function openRecording(_options: RecordingOptions): Promise<Recording> {
  return Promise.reject(internalFault('BANK_NOT_BUILT', 'recording comes with the next commit'));
}
