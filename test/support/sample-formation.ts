import type { BankIdentity } from '../../src/bank/bank.js';
import type { Recording, RecordingOptions } from '../../src/bank/recording.js';
import { manualClock } from '../../src/core/clock.js';
import { digestJson, digestText } from '../../src/core/digest.js';
import type { BeliefState, SealedState } from '../../src/parity/parity.js';
import type { Completion, CompletionProvider, CompletionRequest } from '../../src/provider/completion.js';

export const SAMPLE_IDENTITY: BankIdentity = {
  corpus: digestText('corpus'),
  owner: { tenant: 'clinic', principal: 'rosa' },
  policy: 'facts@1',
  profile: {
    kind: 'openai',
    wire_api: 'chat-completions',
    endpoint: 'https://models.example/v1',
    model: 'former-1',
    parameters: { max_output_tokens: 512, temperature: 0, top_p: null, seed: 7, reasoning_effort: null },
  },
  persistence: 'supersede',
  implementation: digestText('implementation'),
  replicate: 1,
};

/** A formation request of the sample fixture. */
export function sampleRequest(batch: string, content: string): CompletionRequest {
  return {
    messages: [
      { role: 'system', content: 'Form beliefs.' },
      { role: 'user', content },
    ],
    response_schema: {
      name: 'formation',
      schema: {
        type: 'object',
        properties: { beliefs: { type: 'array', items: { type: 'string' } } },
        required: ['beliefs'],
        additionalProperties: false,
      },
    },
    parameters: SAMPLE_IDENTITY.profile.parameters,
    model: {
      kind: 'openai',
      wire_api: 'chat-completions',
      endpoint: SAMPLE_IDENTITY.profile.endpoint,
      model: SAMPLE_IDENTITY.profile.model,
      resolved_at: '2026-01-01T00:00:00.000Z',
      credential_ref: 'MODELS_KEY',
    },
    metadata: { stage: 'formation', fixture: 'harbour', batch, question: null },
  };
}

/** A supported completion. */
export function sampleCompletion(content: string): Completion {
  return {
    contents: [content],
    finish: 'stop',
    tool_calls: 0,
    reported_model: 'former-1-2026-01-01',
    usage: { input_uncached: 100, cache_read: 0, cache_write: 0, output: 10, reasoning: 0 },
  };
}

/** A live model at its worst: every answer differs from every one before it, also to an equal request. */
export class FickleProvider implements CompletionProvider {
  sends = 0;

  async complete(): Promise<Completion> {
    this.sends += 1;
    return sampleCompletion(JSON.stringify({ beliefs: [`answer ${this.sends}`] }));
  }
}

/** A formation of `batches` calls in which each request shows the answers before it; returns all answers, the state that it formed. */
export async function formSample(provider: CompletionProvider, batches = 3): Promise<string[]> {
  const beliefs: string[] = [];
  for (let batch = 1; batch <= batches; batch += 1) {
    const request = sampleRequest(`session_${batch}`, JSON.stringify({ beliefs, turns: [`turn ${batch}`] }));
    const completion = await provider.complete(request, new AbortController().signal);
    beliefs.push(completion.contents[0] ?? '');
  }
  return beliefs;
}

/** A state as parity would seal it. */
export function sampleState(beliefs: readonly string[] = ['one']): SealedState {
  const state: BeliefState = {
    format: 'belief-state@1',
    tables: { belief: beliefs.map((statement, index) => ({ position: index + 1, statement })), person: [] },
  };
  return { state, digest: digestJson(state), beliefs: beliefs.length, people: 0 };
}

/** Options of a recording of the sample fixture. */
export function sampleRecording(folder: string, inner: CompletionProvider): RecordingOptions {
  return {
    folder,
    fixture: 'harbour',
    identity: SAMPLE_IDENTITY,
    inner,
    clock: manualClock(),
    secrets: [],
    unsupportedReason: (_request, completion) => (completion.finish === 'stop' ? null : completion.finish),
  };
}

/** Seals what a formation gave. */
export function sealSample(recording: Recording, beliefs: readonly string[]): ReturnType<Recording['seal']> {
  return recording.seal({ state: sampleState(beliefs), recordedAt: '2026-01-01T00:00:00.000Z' });
}
