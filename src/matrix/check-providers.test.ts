import { describe, expect, it } from 'vitest';
import { faultsOf, loadText, SOUND } from '../../test/support/sound-matrix.js';

const PRICES = 'prices: { m: { as_of: 2026-05-01, input: "1", output: "2" } }\n';
const remote = (provider: string, reader = ''): string =>
  SOUND.replace('local: { kind: local }', `local: { kind: local }\n  r: ${provider}`).replace(
    'reader: { provider: local, model: extractive-reader-1 }',
    `reader: { provider: r, model: m${reader} }`,
  ) + PRICES;
const EMBEDDED =
  'prices: { m: { as_of: 2026-05-01, input: "1", output: "2" }, e: { as_of: 2026-05-01, input: "1" } }\n';
const embedding = (provider: string, more = ''): string =>
  `${SOUND.replace('local: { kind: local }', `local: { kind: local }\n  r: ${provider}`)}${EMBEDDED}query_preparation: { embedding: { provider: r, model: e${more} } }\n`;

describe('providers of a matrix', () => {
  it('PR-1 PR-2 an entry that sends has explicit limits and retries, all with defaults', async () => {
    const { matrix } = await loadText(remote('{ kind: anthropic }'));
    expect(matrix.providers.r).toEqual({
      kind: 'anthropic',
      wire_api: 'messages',
      base_url: 'https://api.anthropic.com',
      url_env: null,
      endpoint_name: null,
      api_key_env: 'ANTHROPIC_API_KEY',
      timeout_ms: 120_000,
      overhead_tokens: 1024,
      requests_per_minute: null,
      tokens_per_minute: null,
      retry: { attempts: 3, on: ['rate-limited', 'server-error', 'timeout', 'connection'], max_wait_ms: 60_000 },
    });
  });

  it.each<[string, string, string[]]>([
    ['a seed for Responses', remote('{ kind: openai, wire_api: responses }', ', seed: 1'), ['PARAMETER_UNFIT at 1']],
    ['a seed for Messages', remote('{ kind: anthropic }', ', seed: 1'), ['PARAMETER_UNFIT at 1']],
    ['a seed for Chat Completions', remote('{ kind: openai }', ', seed: 1'), []],
    [
      'too low a limit for Responses',
      remote('{ kind: openai, wire_api: responses }', ', max_output_tokens: 15'),
      ['PARAMETER_UNFIT at 15'],
    ],
    [
      'an effort that Messages lacks',
      remote('{ kind: anthropic }', ', reasoning_effort: minimal'),
      ['PARAMETER_UNFIT at minimal'],
    ],
    [
      'a temperature above 1 for Messages',
      remote('{ kind: anthropic }', ', temperature: 1.5'),
      ['PARAMETER_UNFIT at 1.5'],
    ],
    ['a URL with a password', remote('{ kind: openai, base_url: "https://u:p@x/v1" }'), ['URL_INVALID at "https']],
    ['no URL', remote('{ kind: anthropic, base_url: here }'), ['URL_INVALID at here']],
    [
      'a URL twice',
      remote('{ kind: anthropic, base_url: "http://x", url_env: U, endpoint_name: n }'),
      ['CONFLICTING_KEYS at U'],
    ],
    ['a URL variable without a name', remote('{ kind: openai, url_env: U }'), ['ENDPOINT_NAME_MISSING at U']],
    ['an unknown retry cause', remote('{ kind: openai, retry: { on: [refusal] } }'), ['WRONG_VALUE at refusal']],
    ['no requests a minute', remote('{ kind: openai, requests_per_minute: 0 }'), ['WRONG_VALUE at 0']],
    ['embeddings of Anthropic', embedding('{ kind: anthropic }', ', dimensions: 8'), ['PROVIDER_UNFIT at r']],
    ['remote embeddings without a length', embedding('{ kind: openai }'), ['DIMENSIONS_MISSING at {']],
    ['remote embeddings', embedding('{ kind: openai }', ', dimensions: 8'), []],
    [
      'a length for the local embedder',
      `${SOUND}query_preparation: { embedding: { provider: local, model: use-lite-512, dimensions: 8 } }\n`,
      ['PARAMETER_UNFIT at {'],
    ],
  ])('MX-2 %s', async (_title, text, expected) => {
    expect(await faultsOf(text)).toEqual(expected);
  });
});
