import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenAiServer, startOpenAiServer } from './index.js';

/* The fake refuses what the reference refuses (CHECKS 4). Asked with plain fetch, without the product's code. */

let server: OpenAiServer;
beforeAll(async () => {
  server = await startOpenAiServer();
});
afterAll(() => server.close());

const schema = {
  type: 'object',
  properties: { answer: { type: 'string' } },
  required: ['answer'],
  additionalProperties: false,
};
const good = {
  model: 'gpt-test-1',
  messages: [{ role: 'user', content: 'hello' }],
  max_completion_tokens: 50,
  response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
};
const withFormat = (json_schema: unknown) => ({ ...good, response_format: { type: 'json_schema', json_schema } });

async function post(body: unknown, headers: Record<string, string> = {}, path = '/chat/completions') {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.api_key}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const answer = JSON.parse(await response.text());
  return { status: response.status, answer, error: answer.error };
}

describe('the fake API', () => {
  it('answers a good request with a conforming value, and bills it', async () => {
    const before = server.bill().nano_usd;
    const { status, answer } = await post(good);
    expect(status).toBe(200);
    expect(JSON.parse(answer.choices[0].message.content)).toEqual({ answer: 'text' });
    const { prompt_tokens, completion_tokens, total_tokens } = answer.usage;
    expect(total_tokens).toBe(prompt_tokens + completion_tokens);
    expect(server.bill().nano_usd - before).toBe(BigInt(prompt_tokens) * 150n + BigInt(completion_tokens) * 600n);
  });

  it.each<[string, unknown, number, string]>([
    [
      'an unknown field',
      { ...good, max_output_tokens: 5 },
      400,
      'Unrecognized request argument supplied: max_output_tokens',
    ],
    ['a body that is no JSON', '{', 400, 'could not parse'],
    ['no model', { ...good, model: undefined }, 400, 'model parameter'],
    ['an unknown model', { ...good, model: 'gpt-none' }, 404, 'does not exist'],
    ['no messages', { ...good, messages: undefined }, 400, "'messages'"],
    ['empty messages', { ...good, messages: [] }, 400, 'empty array'],
    ['an unknown role', { ...good, messages: [{ role: 'robot', content: 'x' }] }, 400, 'robot'],
    ['a message without content', { ...good, messages: [{ role: 'user' }] }, 400, 'messages[0].content'],
    [
      'an unknown field of a message',
      { ...good, messages: [{ role: 'user', content: 'x', id: 1 }] },
      400,
      'messages[0].id',
    ],
    ['a fractional limit', { ...good, max_completion_tokens: 1.5 }, 400, 'expected an integer'],
    ['a limit in text', { ...good, max_completion_tokens: '50' }, 400, 'expected an integer'],
    ['a limit of 0', { ...good, max_completion_tokens: 0 }, 400, 'below minimum'],
    ['both limits', { ...good, max_tokens: 5 }, 400, 'at the same time'],
    ['a temperature above 2', { ...good, temperature: 2.1 }, 400, "'temperature'"],
    ['a top_p above 1', { ...good, top_p: 1.1 }, 400, "'top_p'"],
    ['an unknown effort', { ...good, reasoning_effort: 'heroic' }, 400, 'reasoning_effort'],
    ['store in text', { ...good, store: 'no' }, 400, "'store'"],
    ['an unknown format', { ...good, response_format: { type: 'yaml' } }, 400, 'yaml'],
    ['json_object without the word', { ...good, response_format: { type: 'json_object' } }, 400, "'json'"],
    ['no schema name', withFormat({ strict: true, schema }), 400, 'name'],
    ['a schema name with a space', withFormat({ name: 'an answer', strict: true, schema }), 400, 'pattern'],
    [
      'an unknown field beside the schema',
      withFormat({ name: 'a', strict: true, schema, mode: 1 }),
      400,
      'json_schema.mode',
    ],
    [
      'a strict schema without additionalProperties',
      withFormat({ name: 'a', strict: true, schema: { ...schema, additionalProperties: undefined } }),
      400,
      "Invalid schema for response_format 'a': In context=(), 'additionalProperties' is required to be supplied and to be false.",
    ],
    [
      'an optional property',
      withFormat({ name: 'a', strict: true, schema: { ...schema, required: [] } }),
      400,
      "Missing 'answer'",
    ],
  ])('refuses %s', async (_title, body, status, words) => {
    const billed = server.bill().lines.length;
    const { status: answered, error } = await post(body);
    expect(answered).toBe(status);
    expect(error.message).toContain(words);
    expect(Object.keys(error).sort()).toEqual(['code', 'message', 'param', 'type']);
    expect(server.bill().lines).toHaveLength(billed);
  });

  it('refuses a missing key, a wrong key, another content type and another path', async () => {
    expect((await post(good, { authorization: '' })).status).toBe(401);
    expect((await post(good, { authorization: 'Bearer sk-wrong-000000000' })).error.code).toBe('invalid_api_key');
    expect((await post(good, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post(good, {}, '/completions')).status).toBe(404);
  });

  it('CHECKS 3 bills the most that it could charge: nothing for a refusal, everything for an answer that was lost', async () => {
    const lineFor = async (scripted: Parameters<OpenAiServer['failNext']>[0]) => {
      const before = server.bill().lines.length;
      server.failNext(scripted);
      await post(good).catch(() => undefined);
      return server.bill().lines.slice(before);
    };
    expect(await lineFor({ kind: 'status', status: 429 })).toEqual([]);
    for (const lost of [
      { kind: 'status', status: 500 },
      { kind: 'cut-before-headers' },
      { kind: 'cut-mid-body' },
    ] as const) {
      expect(await lineFor(lost)).toMatchObject([{ completion_tokens: 50 }]);
    }
    const [missing] = await lineFor({ kind: 'missing-usage' });
    const [zero] = await lineFor({ kind: 'zero-usage' });
    expect(missing?.completion_tokens).toBeGreaterThan(0);
    expect(zero?.nano_usd).toBe(missing?.nano_usd);
  });

  it('answers with a handed-in function of the body, and fails by index and by predicate', async () => {
    const scripted = await startOpenAiServer({
      answer: (request, index) => JSON.stringify({ answer: `${request.messages[0]?.content}-${index}` }),
      failures: [
        { when: 0, failure: { kind: 'status', status: 500 } },
        { when: (body) => JSON.stringify(body).includes('poison'), failure: { kind: 'status', status: 400 } },
      ],
    });
    const ask = async (content: string) => {
      const response = await fetch(`${scripted.url}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${scripted.api_key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...good, messages: [{ role: 'user', content }] }),
      });
      if (!response.ok) return response.status;
      return JSON.parse(await response.text()).choices[0].message.content;
    };
    try {
      expect([await ask('a'), await ask('poison'), await ask('b')]).toEqual([500, 400, '{"answer":"b-2"}']);
      expect(scripted.requests.map(({ status }) => status)).toEqual([500, 400, 200]);
    } finally {
      await scripted.close();
    }
  });
});
