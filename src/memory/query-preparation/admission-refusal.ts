import { RecallMatrixError } from '../../core/errors.js';
import type { AdmissionCeiling } from './admission.js';

const REMEDIES: { readonly [Ceiling in AdmissionCeiling]: string } = {
  request: 'raise `query_preparation.ceilings.request_usd`, which is the most that one request may be charged',
  day: 'go on with the run on another UTC day, or start one with a higher `query_preparation.ceilings.day_usd`',
  slot: 'wait until the other process has prepared its questions of this owner',
};

/** A send that the owner's ledger did not admit (SQ-9): of an embedding allowance, and never a reason to stop what embeds nothing. */
export class EmbeddingRefused extends RecallMatrixError {
  readonly ceiling: AdmissionCeiling;

  constructor(ceiling: AdmissionCeiling, message: string) {
    super({
      kind: 'budget',
      code: 'EMBEDDING_CEILING',
      message,
      remedy: REMEDIES[ceiling],
      details: { ceiling },
    });
    this.ceiling = ceiling;
  }
}
