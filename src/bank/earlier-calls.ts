import { counted } from '../core/counted.js';
import { bankRefused, type RecallMatrixError } from '../core/errors.js';
import type { CompletionRequest } from '../provider/completion.js';
import type { Bank, BankCall } from './bank.js';
import type { KeptCompletion } from './kept-completion.js';
import { brokenJournal, type PendingContent } from './pending-journal.js';
import { changedParts } from './request-identity.js';

/** What a continued recording takes over of an interrupted one (FB-9). */
export interface EarlierCalls {
  /** The durable completions, in order. */
  readonly calls: readonly BankCall[];
  /** Attempts that were journalled for the call after them: its completion is not durable, so it is asked again. */
  readonly attempts_of_next: number;
  /** What the bank will cite. */
  readonly continues: Bank['continues'];
}

/** A recording that starts from nothing. */
export const NO_EARLIER_CALLS: EarlierCalls = { calls: [], attempts_of_next: 0, continues: undefined };

/**
 * Reads the durable completions of a journal, call by call.
 *
 * @throws `BANK_JOURNAL_BROKEN` (exit 5) where its lines do not tell one story.
 */
export function earlierCalls({ path, header, lines }: PendingContent): Omit<EarlierCalls, 'continues'> {
  const calls: BankCall[] = [];
  let reserved: { call: number; attempt: number; bound: Pick<BankCall, 'request' | 'resolved'> } | null = null;
  const broken = (why: string): RecallMatrixError => brokenJournal(path, new Error(why));
  for (const line of lines) {
    if (line.kind === 'reserved') {
      if (line.call !== calls.length + 1)
        throw broken(`call ${line.call} is reserved after ${counted(calls.length, 'completion')}`);
      reserved = { call: line.call, attempt: line.attempt, bound: { request: line.request, resolved: line.resolved } };
    } else if (line.kind === 'completed') {
      if (reserved?.call !== line.call || reserved.attempt !== line.attempt)
        throw broken(`call ${line.call} is completed and was not reserved`);
      calls.push({ ...reserved.bound, ...line.completion, attempts: line.attempt });
      reserved = null;
    } else if (line.kind === 'taken-over') {
      if (line.call !== calls.length + 1) throw broken(`call ${line.call} is taken over out of its order`);
      calls.push({ request: line.request, resolved: line.resolved, ...line.completion, attempts: line.attempt });
    }
  }
  // Attempts that were cited by a continuation which then sent nothing itself.
  const cited = header.continues?.completions === calls.length ? header.continues.attempts : 0;
  return { calls, attempts_of_next: reserved?.attempt ?? cited };
}

/**
 * The durable completion of a call, once the request was found to be the one that it answers; null where it is to be asked.
 *
 * @throws `BANK_CONTINUE_REQUEST_CHANGED` (exit 5), naming the call and the parts that differ.
 */
export function takenOver(earlier: EarlierCalls, call: number, request: CompletionRequest): BankCall | null {
  const taken = earlier.calls[call - 1];
  if (taken === undefined) return null;
  const changed = changedParts(taken, request);
  if (changed.length === 0) return taken;
  const batch = JSON.stringify(taken.request.metadata.batch);
  throw bankRefused(
    'BANK_CONTINUE_REQUEST_CHANGED',
    `call ${call} (batch ${batch}) is not the request of the interrupted recording; it differs in ${changed.join(', ')}`,
    { remedy: REMEDY, details: { call, parts: changed.join(', ') } },
  );
}

/** A bank holds what formation asked for, and no more. @throws `BANK_CONTINUE_CALLS_LEFT` (exit 5). */
export function assertAllTakenOver(earlier: EarlierCalls, calls: number): void {
  if (calls >= earlier.calls.length) return;
  throw bankRefused(
    'BANK_CONTINUE_CALLS_LEFT',
    `formation ended after ${calls} of ${counted(earlier.calls.length, 'call')} that the interrupted recording completed`,
    { remedy: REMEDY, details: { call: calls + 1 } },
  );
}

/** What is kept of a completion, without its call. */
export function keptOf({ output, finish, reported_model, usage }: BankCall): KeptCompletion {
  return { output, finish, reported_model, usage };
}

const REMEDY =
  'restore the history, policy, settings and version that the recording began with and continue it, or abandon it with recall-matrix bank abandon and record anew';
