import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ProviderFailure } from '../../src/provider/completion.js';
import { readChatCompletion } from '../../src/provider/openai/chat-completions-response.js';
import { usageProblem } from '../../src/provider/usage.js';

const good = {
  id: 'chatcmpl-1',
  model: 'm',
  choices: [
    {
      index: 0,
      finish_reason: 'stop',
      message: { role: 'assistant', content: '{"a":1}', refusal: null, tool_calls: [] },
    },
  ],
  usage: {
    prompt_tokens: 10,
    completion_tokens: 5,
    total_tokens: 15,
    prompt_tokens_details: { cached_tokens: 3 },
    completion_tokens_details: { reasoning_tokens: 2 },
  },
};

/** The paths of every node below the root. */
function pathsOf(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => [[...path, key], ...pathsOf(child, [...path, key])]);
}

function replaced(value: unknown, path: readonly string[], by: unknown): unknown {
  const copy = structuredClone(value) as Record<string, unknown>;
  let node = copy;
  for (const key of path.slice(0, -1)) node = node[key] as Record<string, unknown>;
  node[path.at(-1)!] = by;
  return copy;
}

function read(body: string): 'typed failure' | 'completion' {
  try {
    const completion = readChatCompletion(body, 200, null);
    if (completion.usage !== null) expect(usageProblem(completion.usage, completion.contents.length > 0)).toBeNull();
    return 'completion';
  } catch (error) {
    expect(error).toBeInstanceOf(ProviderFailure);
    const { billing } = error as ProviderFailure;
    if (typeof billing === 'object') expect(usageProblem(billing.usage, true)).toBeNull();
    return 'typed failure';
  }
}

it('RS-2 a response with any part replaced is a completion or a typed failure, and never an impossible bill', () => {
  expect(read(JSON.stringify(good))).toBe('completion');
  const outcomes = new Set<string>();
  fc.assert(
    fc.property(fc.constantFrom(...pathsOf(good)), fc.jsonValue(), (path, by) => {
      outcomes.add(read(JSON.stringify(replaced(good, path, by))));
    }),
    { numRuns: 1_000 },
  );
  expect(outcomes).toEqual(new Set(['completion', 'typed failure']));
});

it('RS-2 so is any text, and any cut of a good response', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (body) => void read(body)));
  const text = JSON.stringify(good);
  for (let length = 0; length < text.length; length += 1) expect(read(text.slice(0, length))).toBe('typed failure');
});
