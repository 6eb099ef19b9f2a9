import { canonicalJson } from '../core/canonical-json.js';
import type { Clock } from '../core/clock.js';
import { internalFault, kindOf, messageOf } from '../core/errors.js';
import type { Journal } from '../core/journal.js';
import { scanForSecrets } from '../core/secret-scan.js';
import type { SealedState } from '../parity/parity.js';
import type { Completion, CompletionProvider, CompletionRequest } from '../provider/completion.js';
import { type AttemptRule, completeWithAttempts } from './attempts.js';
import { BANK_LIMITS, type BankCall, type BankFile, type BankIdentity } from './bank.js';
import { bankTooLarge, tooManyCalls } from './bank-format.js';
import { assertAllTakenOver, type EarlierCalls, keptOf, NO_EARLIER_CALLS, takenOver } from './earlier-calls.js';
import { holdsSecret } from './holds-secret.js';
import { type KeptCompletion, keepCompletion } from './kept-completion.js';
import { appendPending, type PendingLine } from './pending-journal.js';
import { failedRecording, isOfTheRecording } from './recording-failure.js';
import { boundModel, requestIdentity } from './request-identity.js';
import { type SealStep, writeSealed } from './seal-recording.js';
import { moveToFailed, removeJournal } from './unfinished-recordings.js';

/** What a recording is made of. */
export interface RecordingOptions extends AttemptRule {
  readonly folder: string;
  readonly fixture: string;
  readonly identity: BankIdentity;
  /** The live, metered provider. */
  readonly inner: CompletionProvider;
  readonly clock: Clock;
  /** Configured secrets, that no journal and no bank may hold (FB-7). */
  readonly secrets: readonly string[];
  /** Told after each durable step, before the next: for crash tests (RS-1). */
  readonly onStep?: (step: RecordingStep) => Promise<void>;
}

/** The durable steps of a recording. */
export type RecordingStep = 'adopted' | 'reserved' | 'completed' | SealStep | 'journal-removed';

/**
 * A recording in progress (FB-1, FB-9): each call's reservation is durable before it is sent, its completion before it is answered. Calls
 * come one after the other.
 */
export interface Recording extends CompletionProvider {
  readonly journalPath: string;
  /**
   * Forms through this recording and seals what `form` read back. What `form` throws is thrown on, and ends the recording: failed where
   * formation refused a completion (kind `provider`), interrupted otherwise.
   */
  record(form: (provider: CompletionProvider) => Promise<SealedState>): Promise<BankFile>;
  /**
   * @throws exit 5 `BANK_RECORDING_FAILED` after the last attempt (exit 7, same code, where the provider failed), `BANK_TOO_MANY_CALLS`
   * before the 129th call is sent, `BANK_TOO_LARGE`, `BANK_HOLDS_SECRET`: the journal then lies in `failed/`. Whatever else the inner provider
   * throws (a refused budget, an interruption) is thrown on; the journal stays, interrupted.
   */
  complete(request: CompletionRequest, signal: AbortSignal): Promise<Completion>;
  /** Seals the bank; a call in flight is waited for. @throws what ended the recording before; `BANK_HOLDS_SECRET`, `BANK_TOO_LARGE`. */
  seal(parts: { readonly state: SealedState; readonly recordedAt: string }): Promise<BankFile>;
  /** Ends a recording whose formation failed by itself: the journal moves to `failed/`. Does nothing once it has ended. */
  fail(reason: string): Promise<void>;
  /** Ends a recording that was stopped from outside: the journal stays, and says why. Does nothing once it has ended. */
  interrupt(reason: string): Promise<void>;
}

/** Records over a journal that `openRecording` made. */
export class RecordingProvider implements Recording {
  readonly journalPath: string;
  readonly #options: RecordingOptions;
  readonly #journal: Journal;
  readonly #earlier: EarlierCalls;
  readonly #calls: BankCall[] = [];
  #outputBytes = 0;
  #inFlight: Promise<unknown> | null = null;
  #isSealing = false;
  /** What ended the recording; every later use throws it. */
  #end: unknown = null;

  /** @param earlier what is taken over of an interrupted recording (FB-9). */
  constructor(options: RecordingOptions, journal: Journal, earlier: EarlierCalls = NO_EARLIER_CALLS) {
    this.#options = options;
    this.#journal = journal;
    this.#earlier = earlier;
    this.journalPath = journal.path;
  }

  async complete(request: CompletionRequest, signal: AbortSignal): Promise<Completion> {
    if (this.#end !== null) throw this.#end;
    if (this.#inFlight !== null || this.#isSealing) {
      throw internalFault(
        'RECORDING_CALLS_OVERLAP',
        'a formation call was made before the one before it ended, or after the last',
      );
    }
    const call = this.#recordOrEnd(request, signal);
    this.#inFlight = call;
    try {
      return await call;
    } finally {
      this.#inFlight = null;
    }
  }

  async record(form: (provider: CompletionProvider) => Promise<SealedState>): Promise<BankFile> {
    let state: SealedState;
    try {
      state = await form(this);
    } catch (error) {
      if (kindOf(error) === 'provider') await this.fail(messageOf(error));
      else await this.interrupt(messageOf(error));
      throw error;
    }
    return await this.seal({ state, recordedAt: this.#options.clock.now() });
  }

  async seal(parts: { readonly state: SealedState; readonly recordedAt: string }): Promise<BankFile> {
    this.#isSealing = true;
    if (this.#inFlight !== null) await Promise.allSettled([this.#inFlight]);
    if (this.#end !== null) throw this.#end;
    const { folder, fixture, identity, secrets } = this.#options;
    const { continues } = this.#earlier;
    const bank = { identity, calls: this.#calls, continues, recordedAt: parts.recordedAt };
    try {
      assertAllTakenOver(this.#earlier, this.#calls.length);
      const file = await writeSealed(
        { folder, fixture, bank, state: parts.state, secrets },
        (digest) => this.#append({ kind: 'sealed', bank: digest }),
        (step) => this.#step(step),
      );
      this.#end = internalFault('RECORDING_SEALED', `${file.path} is sealed; nothing can be added to it`);
      await this.#journal.close();
      await removeJournal(this.journalPath);
      await this.#step('journal-removed');
      return file;
    } catch (error) {
      if (isOfTheRecording(error)) await this.fail(messageOf(error));
      else await this.interrupt(messageOf(error));
      throw error;
    }
  }

  async fail(reason: string): Promise<void> {
    if (await this.#endWith('failed', reason)) await moveToFailed(this.#options.folder, this.journalPath);
  }

  async interrupt(reason: string): Promise<void> {
    await this.#endWith('interrupted', reason);
  }

  async #endWith(kind: 'failed' | 'interrupted', reason: string): Promise<boolean> {
    if (this.#end !== null) return false;
    this.#end = internalFault('RECORDING_ENDED', `the recording ended (${kind}): ${reason}`);
    try {
      await this.#append({ kind, reason, at: this.#options.clock.now() });
    } finally {
      await this.#journal.close();
    }
    return true;
  }

  async #recordOrEnd(request: CompletionRequest, signal: AbortSignal): Promise<Completion> {
    try {
      return await this.#record(request, signal);
    } catch (error) {
      await this.#endBy(error);
      throw this.#end;
    }
  }

  async #record(request: CompletionRequest, signal: AbortSignal): Promise<Completion> {
    const call = this.#calls.length + 1;
    if (call > BANK_LIMITS.calls) throw tooManyCalls(call);
    this.#assertBound(request);
    const taken = takenOver(this.#earlier, call, request);
    if (taken !== null) return await this.#takeOver(taken, call);
    const earlierAttempts = call === this.#earlier.calls.length + 1 ? this.#earlier.attempts_of_next : 0;
    const bound = { request: requestIdentity(request), resolved: boundModel(request) };
    const done = await completeWithAttempts(this.#options.inner, request, signal, this.#options, {
      beforeSend: async (now) => {
        const attempt = earlierAttempts + now;
        await this.#append({ kind: 'reserved', call, attempt, ...bound });
        await this.#step('reserved');
      },
      rejected: (now, reason, usage) =>
        this.#append({ kind: 'rejected', call, attempt: earlierAttempts + now, reason, usage }),
    });
    const { completion } = done;
    const attempt = earlierAttempts + done.attempt;
    const kept = keepCompletion(completion);
    await this.#assertKeepable(kept, call);
    await this.#append({ kind: 'completed', call, attempt, completion: kept });
    await this.#step('completed');
    this.#calls.push({ ...bound, ...kept, attempts: attempt });
    return answerOf(kept);
  }

  /** Answers with a completion that an interrupted recording holds durably: nothing is sent, and nothing journalled twice. */
  async #takeOver(taken: BankCall, call: number): Promise<Completion> {
    await this.#assertKeepable(keptOf(taken), call);
    this.#calls.push(taken);
    return answerOf(taken);
  }

  /** A bank's identity and name speak for all its calls. */
  #assertBound(request: CompletionRequest): void {
    const { fixture, identity } = this.#options;
    const profile = { ...boundModel(request), parameters: request.parameters };
    if (request.metadata.fixture === fixture && canonicalJson(profile) === canonicalJson(identity.profile)) return;
    throw internalFault(
      'RECORDING_NOT_OF_ITS_IDENTITY',
      `a request of ${request.metadata.fixture} by ${canonicalJson(profile)} in a recording of ${fixture} by ${canonicalJson(identity.profile)}`,
    );
  }

  async #assertKeepable(kept: KeptCompletion, call: number): Promise<void> {
    const findings = await scanForSecrets(kept, this.#options.secrets);
    if (findings.length > 0) throw holdsSecret(`the completion of call ${call}`, findings);
    this.#outputBytes += Buffer.byteLength(JSON.stringify(kept.output));
    if (this.#outputBytes > BANK_LIMITS.bytes) throw bankTooLarge('the bank being recorded', this.#outputBytes);
  }

  /** Ends the recording by what a call threw: it failed by its own doing, or was stopped from outside. */
  async #endBy(error: unknown): Promise<void> {
    const ended = failedRecording(error, this.#options.fixture, this.#calls.length + 1);
    try {
      if (isOfTheRecording(ended)) await this.fail(messageOf(error));
      else await this.interrupt(messageOf(error));
    } finally {
      this.#end = ended;
    }
  }

  #append(line: PendingLine): Promise<void> {
    return appendPending(this.#journal, line);
  }

  async #step(step: RecordingStep): Promise<void> {
    await this.#options.onStep?.(step);
  }
}

function answerOf({ output, finish, reported_model, usage }: KeptCompletion): Completion {
  return { contents: [output], finish, tool_calls: 0, reported_model, usage };
}
