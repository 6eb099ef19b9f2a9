import { expect, it } from 'vitest';
import { type Billing, ProviderFailure, type ProviderFailureReason } from '../completion.js';
import { readChatCompletion } from './chat-completions-response.js';

const usage = { input_uncached: 11, cache_read: 0, cache_write: 0, output: 3, reasoning: 0 };
const wireUsage = { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 };

it.each<[string, unknown, ProviderFailureReason, Billing]>([
  [
    'a malformed choice, a readable bill without a model',
    { choices: [{ message: { content: 7 } }], usage: wireUsage },
    'malformed-response',
    { usage, reported_model: null },
  ],
  [
    'a malformed choice, a bill that does not sum',
    { choices: {}, usage: { ...wireUsage, total_tokens: 15 } },
    'malformed-response',
    'unknown',
  ],
  [
    'no choices, a readable bill',
    { model: 'm', choices: [], usage: wireUsage },
    'empty-response',
    { usage, reported_model: 'm' },
  ],
])('PR-3 %s', (_title, body, reason, billing) => {
  let thrown: unknown = null;
  try {
    readChatCompletion(JSON.stringify(body), 200, null);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(ProviderFailure);
  expect(thrown).toMatchObject({ reason, billing, status: 200 });
});

it.each([
  ['total that is no sum', { ...wireUsage, total_tokens: 16 }],
  ['no total', { prompt_tokens: 11, completion_tokens: 3 }],
  ['cached above prompt', { ...wireUsage, prompt_tokens_details: { cached_tokens: 12 } }],
])('R-31 a usage with a %s is none', (_title, usageOnWire) => {
  const choices = [{ finish_reason: 'stop', message: { content: '{}' } }];
  expect(readChatCompletion(JSON.stringify({ choices, usage: usageOnWire }), 200, null).usage).toBeNull();
});
