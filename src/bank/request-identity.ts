import { internalFault } from '../core/errors.js';
import type { CompletionRequest } from '../provider/completion.js';
import type { BankCall, RequestIdentity } from './bank.js';

/** A request's identity (FB-3). */
export function requestIdentity(_request: CompletionRequest): RequestIdentity {
  throw internalFault('BANK_NOT_BUILT', 'the request identity comes with the next commit');
}

/** Which parts of a request differ from the recorded one (FB-5). */
export function changedParts(_recorded: BankCall, _request: CompletionRequest): string[] {
  throw internalFault('BANK_NOT_BUILT', 'the comparison of requests comes with the next commit');
}
