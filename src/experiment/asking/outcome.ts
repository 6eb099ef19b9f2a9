import { RecallMatrixError } from '../../core/errors.js';
import { ProviderFailure } from '../../provider/completion.js';
import { refusesEveryCall } from '../../provider/refusals.js';
import { type Cause, causeOf } from './row-cause.js';

/** What became of a question. */
export interface Outcome {
  readonly kind: 'answered' | 'failed' | 'refused' | 'skipped';
  readonly cause: Cause | null;
}

/** What a thrown error makes of a question (OB-4): skipped where it was stopped from outside, failed otherwise, by whose making. */
export function outcomeOf(error: unknown, stage: Cause['stage']): Outcome {
  const kind = error instanceof RecallMatrixError ? error.kind : null;
  const cancelled = error instanceof ProviderFailure && error.reason === 'cancelled';
  if (cancelled || kind === 'interrupted') return { kind: 'skipped', cause: causeOf(error, 'interrupted') };
  // A lost server says nothing of the question: it is asked when the run is resumed (RS-3).
  if (kind === 'database') return { kind: 'skipped', cause: causeOf(error, 'database') };
  // Nor does a wrong key, or a model that is not there.
  if (refusesEveryCall(error)) return { kind: 'skipped', cause: causeOf(error, stage) };
  // A completion that came and cannot be used is the arm's own; a transport, a server or a fault of this program is not (OB-4).
  // A scorer that fails is no arm's doing.
  const own = stage !== 'scoring' && kind === 'provider' && !(error instanceof ProviderFailure);
  return { kind: 'failed', cause: causeOf(error, stage, own) };
}
