import { RecallMatrixError } from '../../core/errors.js';
import type { AdmissionCeiling } from './admission.js';

/**
 * The owner's ledger did not admit a send (SQ-9): nothing was reserved and nothing was sent. To a query it is a miss, `refused:<ceiling>`,
 * and is not asked again; to whoever indexes items it is a refusal by a budget.
 */
export class AdmissionRefused extends RecallMatrixError {
  constructor(
    readonly ceiling: AdmissionCeiling,
    message: string,
    remedy: string,
  ) {
    super({ kind: 'budget', code: 'EMBEDDING_NOT_ADMITTED', message, remedy, details: { ceiling } });
    this.name = 'AdmissionRefused';
  }
}
