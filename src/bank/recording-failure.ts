import { RecallMatrixError } from '../core/errors.js';
import { ProviderFailure } from '../provider/completion.js';
import { UnsupportedCompletion } from './attempts.js';

/** Failures of the recording itself: what was recorded is not eligible for replay (FB-11). */
const OWN_FAILURES = new Set([
  'BANK_RECORDING_FAILED',
  'BANK_TOO_MANY_CALLS',
  'BANK_TOO_LARGE',
  'BANK_HOLDS_SECRET',
  'BANK_STATE_TOO_LARGE',
]);

/** Whether an error makes a recording a failed one; anything else interrupts it. */
export function isOfTheRecording(error: unknown): boolean {
  return error instanceof RecallMatrixError && OWN_FAILURES.has(error.code);
}

/** What ends the command: a completion that the bank refuses is exit 5, a provider that failed is exit 7 (CL-2). */
export function failedRecording(error: unknown, fixture: string, call: number): unknown {
  const isUnsupported = error instanceof UnsupportedCompletion;
  const isFailure = error instanceof ProviderFailure && error.reason !== 'cancelled';
  if (!isUnsupported && !isFailure) return error;
  return new RecallMatrixError({
    kind: isUnsupported ? 'bank' : 'provider',
    code: 'BANK_RECORDING_FAILED',
    message: `recording ${fixture} failed at call ${call}: ${error.message}`,
    remedy: `${error.remedy ?? 'see what the provider says'}; then start again: the failed recording stays listed by recall-matrix bank list`,
    cause: error,
  });
}
