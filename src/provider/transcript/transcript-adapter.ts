import { digestText } from '../../core/digest.js';
import { internalFault } from '../../core/errors.js';
import {
  type Completion,
  type CompletionAdapter,
  type CompletionRequest,
  type PreparedCall,
  ProviderFailure,
} from '../completion.js';
import { readTranscript, type TranscriptEntry, transcriptMissing } from './transcript-file.js';

/**
 * The adapter of a fixture's own transcript.
 *
 * @throws `invalid-input` error `TRANSCRIPT_MISSING` where the fixture has none.
 */
export function createTranscriptAdapter(fixture: {
  readonly path: string;
  readonly transcript_path: string | null;
}): TranscriptAdapter {
  if (fixture.transcript_path === null) throw transcriptMissing(fixture.path);
  return new TranscriptAdapter(fixture.transcript_path);
}

/**
 * Kind `transcript` (PR-1): formation completions made elsewhere, one a batch, answered by the request's metadata. It sends nothing,
 * costs nothing and reports no usage; the reported model is the one that the transcript names.
 */
export class TranscriptAdapter implements CompletionAdapter {
  readonly leaves_process = false;
  readonly #path: string;
  readonly #limitBytes: number | undefined;
  readonly #asked = new Set<string>();
  #entries: Promise<ReadonlyMap<string, TranscriptEntry>> | null = null;

  constructor(path: string, limitBytes?: number) {
    this.#path = path;
    this.#limitBytes = limitBytes;
  }

  /** Reads and checks the file now instead of at the first call. @throws `invalid-input`, as `readTranscript` does. */
  async load(): Promise<void> {
    await this.#read();
  }

  /** @throws internal fault `WRONG_PROVIDER` for a request of another kind. */
  prepare(request: CompletionRequest): PreparedCall<Completion> {
    if (request.model.kind !== 'transcript')
      throw internalFault('WRONG_PROVIDER', `a request for ${request.model.kind} came to a transcript`);
    const batch = request.metadata.batch ?? '';
    return {
      // Nothing is sent: the batch's name is all that is looked at.
      body_bytes: Buffer.byteLength(batch),
      body_digest: digestText(batch),
      max_output_tokens: request.parameters.max_output_tokens,
      send: (signal) => this.#answer(request, signal),
    };
  }

  /** Batches of the file that were never asked for, in the file's order: a transcript of another splitting, or of another history. */
  async unusedBatches(): Promise<string[]> {
    return [...(await this.#read()).keys()].filter((batch) => !this.#asked.has(batch));
  }

  #read(): Promise<ReadonlyMap<string, TranscriptEntry>> {
    this.#entries ??= readTranscript(this.#path, this.#limitBytes);
    return this.#entries;
  }

  async #answer({ metadata }: CompletionRequest, signal: AbortSignal): Promise<Completion> {
    if (signal.aborted)
      throw new ProviderFailure('cancelled', 'cancelled before it was answered', { billing: 'not-billed' });
    const { batch, stage } = metadata;
    const entry = batch === null ? undefined : (await this.#read()).get(batch);
    if (batch === null || entry === undefined)
      throw new ProviderFailure(
        'missing-completion',
        `${this.#path} has no completion for ${batch === null ? `a ${stage} request, which has no batch` : `the batch ${batch}`}`,
        {
          billing: 'not-billed',
          remedy: 'import the transcript anew for this history; a transcript answers formation alone',
        },
      );
    this.#asked.add(batch);
    return {
      contents: [entry.output],
      finish: 'stop',
      tool_calls: 0,
      reported_model: entry.model,
      usage: null,
    };
  }
}
