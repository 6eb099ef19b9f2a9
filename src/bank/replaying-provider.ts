import { internalFault } from '../core/errors.js';
import type { Completion, CompletionProvider, CompletionRequest } from '../provider/completion.js';
import type { Bank } from './bank.js';

/** A provider built from a bank alone (FB-4). */
export class ReplayingProvider implements CompletionProvider {
  constructor(bank: Bank) {
    void bank;
  }

  complete(_request: CompletionRequest, _signal: AbortSignal): Promise<Completion> {
    return Promise.reject(internalFault('BANK_NOT_BUILT', 'replay comes with the next commit'));
  }

  /** Refuses where a recorded call was not asked for (FB-5). */
  assertConsumed(_failure: unknown = null): void {
    throw internalFault('BANK_NOT_BUILT', 'replay comes with the next commit');
  }
}
