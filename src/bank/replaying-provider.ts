import { counted } from '../core/counted.js';
import { bankRefused, internalFault, type RecallMatrixError } from '../core/errors.js';
import type { Completion, CompletionProvider, CompletionRequest } from '../provider/completion.js';
import type { Bank, BankCall } from './bank.js';
import { changedParts } from './request-identity.js';

/**
 * Answers formation from a bank alone (FB-4): there is no transport here, so no way to a live model. Calls are matched by position
 * (FB-6); once it has refused, it stays refused.
 */
export class ReplayingProvider implements CompletionProvider {
  readonly #bank: Bank;
  #next = 0;
  #isAnswering = false;
  #refusal: RecallMatrixError | null = null;

  constructor(bank: Bank) {
    this.#bank = bank;
  }

  /** How many calls were answered so far: the observation's replayed-call count (OB-1). */
  get replayedCalls(): number {
    return this.#next;
  }

  /**
   * @throws `BANK_REQUEST_CHANGED`, naming the call and the parts that differ, or `BANK_REQUEST_ADDITIONAL` (exit 5); internal fault
   * `REPLAY_CALLS_OVERLAP` where calls are not made one after the other.
   */
  async complete(request: CompletionRequest, signal: AbortSignal): Promise<Completion> {
    signal.throwIfAborted();
    if (this.#refusal !== null) throw this.#refusal;
    if (this.#isAnswering) {
      throw this.#refuse(
        internalFault('REPLAY_CALLS_OVERLAP', 'a formation call was made before the one before it ended'),
      );
    }
    this.#isAnswering = true;
    try {
      // Every answer comes in a later turn of the event loop, as from a model: calls that overlap are seen to.
      await Promise.resolve();
      return this.#answer(request);
    } finally {
      this.#isAnswering = false;
    }
  }

  /**
   * Refuses a replay that was not played to its end (FB-5, R-24).
   *
   * @param failure what ended formation before, if anything did: then that is thrown, not the calls that it left over.
   * @throws `BANK_REQUEST_MISSING`, naming the first call that was not asked for.
   */
  assertConsumed(failure: unknown = null): void {
    if (this.#refusal !== null) throw this.#refusal;
    if (failure !== null) throw failure;
    const call = this.#bank.calls[this.#next];
    if (call === undefined) return;
    throw bankRefused(
      'BANK_REQUEST_MISSING',
      `${this.#where(this.#next, call)} was recorded and not asked for: formation ended after ${this.#next} of ${counted(this.#bank.call_count, 'call')}`,
      { remedy: REMEDY, details: { bank: this.#bank.digest, call: this.#next + 1 } },
    );
  }

  #answer(request: CompletionRequest): Completion {
    if (this.#refusal !== null) throw this.#refusal;
    const call = this.#bank.calls[this.#next];
    if (call === undefined) throw this.#refuse(this.#additional(request));
    const changed = changedParts(call, request);
    if (changed.length > 0) throw this.#refuse(this.#changed(call, changed));
    this.#next += 1;
    return {
      contents: [call.output],
      finish: call.finish,
      tool_calls: 0,
      reported_model: call.reported_model,
      usage: call.usage,
    };
  }

  #changed(call: BankCall, parts: readonly string[]): RecallMatrixError {
    return bankRefused(
      'BANK_REQUEST_CHANGED',
      `${this.#where(this.#next, call)} is not the recorded request; it differs in ${parts.join(', ')}`,
      { remedy: REMEDY, details: { bank: this.#bank.digest, call: this.#next + 1, parts: parts.join(', ') } },
    );
  }

  #additional(request: CompletionRequest): RecallMatrixError {
    const batch = JSON.stringify(request.metadata.batch);
    return bankRefused(
      'BANK_REQUEST_ADDITIONAL',
      `call ${this.#next + 1} (batch ${batch}) is additional: the bank ${this.#bank.digest} holds ${counted(this.#bank.call_count, 'call')}`,
      { remedy: REMEDY, details: { bank: this.#bank.digest, call: this.#next + 1 } },
    );
  }

  #where(index: number, call: BankCall): string {
    return `call ${index + 1} (batch ${JSON.stringify(call.request.metadata.batch)}) of bank ${this.#bank.digest}`;
  }

  #refuse(error: RecallMatrixError): RecallMatrixError {
    this.#refusal ??= error;
    return error;
  }
}

const REMEDY =
  'restore the history, policy, settings and version that the bank was recorded with, or record a new bank; a replay never asks a model';
