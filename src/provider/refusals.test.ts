import { describe, expect, it } from 'vitest';
import { type CompletionProvider, type CompletionRequest, ProviderFailure } from './completion.js';
import type { EmbeddingProvider } from './embedding.js';
import { Refusals } from './refusals.js';

const signal = new AbortController().signal;
const REQUEST = {} as CompletionRequest;

/** A provider that answers with a status, and counts what it is asked. */
function answering(status: number): { provider: CompletionProvider & EmbeddingProvider; asked: () => number } {
  let asked = 0;
  const fail = async (): Promise<never> => {
    asked += 1;
    throw new ProviderFailure('invalid-request', `it answered ${status}`, { billing: 'not-billed', status });
  };
  return { provider: { complete: fail, embed: fail, tuple: {} as EmbeddingProvider['tuple'] }, asked: () => asked };
}

describe('PR-3 a provider that refuses every call', () => {
  it.each([
    [401, { same: 1, otherModel: 0, otherAlias: 1 }],
    [404, { same: 1, otherModel: 1, otherAlias: 1 }],
    [403, { same: 2, otherModel: 1, otherAlias: 1 }],
    [400, { same: 2, otherModel: 1, otherAlias: 1 }],
    [500, { same: 2, otherModel: 1, otherAlias: 1 }],
  ])('PR-3 after a %i: what is still sent', async (status, sent) => {
    const refusals = new Refusals();
    const same = answering(status);
    const otherModel = answering(status);
    const otherAlias = answering(status);
    const reader = refusals.completions('a', 'reader', same.provider);
    for (const _ of [1, 2]) await expect(reader.complete(REQUEST, signal)).rejects.toThrow(`it answered ${status}`);
    const embedder = refusals.embeddings('a', 'embedder', otherModel.provider);
    await expect(embedder.embed(['text'], signal)).rejects.toThrow(`it answered ${status}`);
    const elsewhere = refusals.completions('b', 'reader', otherAlias.provider);
    await expect(elsewhere.complete(REQUEST, signal)).rejects.toThrow(`it answered ${status}`);
    expect({ same: same.asked(), otherModel: otherModel.asked(), otherAlias: otherAlias.asked() }).toEqual(sent);
  });
});
