import { describe, expect, it } from 'vitest';
import { strictModeRefusal } from '../../../test/support/openai-server/index.js';
import { digestText } from '../../core/digest.js';
import type { CompletionProvider, CompletionRequest } from '../../provider/completion.js';
import { strictSchemaProblem } from '../../provider/strict-schema.js';
import { NO_USAGE } from '../../provider/usage.js';
import type { AssembledContext } from '../context/context.js';
import { createDeliberateReader } from './create-deliberate-reader.js';
import { deliberatePrompt } from './deliberate-prompt.js';
import { cleanSearch, type Search, type ToldSearch } from './deliberation.js';
import { readerPreset } from './presets.js';
import type { ReaderSettings } from './reader.js';

const OWN_PROMPT = 'Answer in Latin.\n';
const SETTINGS: ReaderSettings = {
  prompt: { name: 'latin.txt', text: OWN_PROMPT, digest: digestText(OWN_PROMPT) },
  model: {
    kind: 'openai',
    wire_api: 'chat-completions',
    endpoint: 'http://127.0.0.1:1/v1',
    model: 'm',
    resolved_at: '2026-01-01T00:00:00.000Z',
    credential_ref: 'KEY',
  },
  parameters: { max_output_tokens: 256, temperature: 0, top_p: null, seed: null, reasoning_effort: null },
  fixture: 'f',
};
const QUESTION = { id: 'q1', question: 'Who keeps a bird?', asked_at: '2024-05-01T10:00:00', subjects: ['Mia'] };
const SIGNAL = new AbortController().signal;

const contextOf = (lines: readonly string[]): AssembledContext => ({
  lines,
  tokens: lines.length,
  digest: digestText(lines.join()),
  included: lines,
  left_out: [],
  preface: 0,
  item_tokens: lines.map(() => 1),
});

/** A memory in which every search finds one more line, which is its query. */
function memory(made: readonly ToldSearch[] = []) {
  const searches = [...made];
  return {
    searches,
    get context() {
      return contextOf(searches.map(({ query }) => query));
    },
    search: async (search: Search) => {
      searches.push({ ...search, new_lines: 1 });
    },
  };
}

const searchFor = (query: string, subjects: readonly string[] = []): string =>
  JSON.stringify({ abstains: false, answer: '', search: { query, subjects } });

/** Says one content after the other. */
function saying(...contents: readonly string[]): CompletionProvider & { asked: CompletionRequest[] } {
  const asked: CompletionRequest[] = [];
  return {
    asked,
    complete: async (request) => {
      asked.push(request);
      const content = contents[asked.length - 1] as string;
      return { contents: [content], finish: 'stop', tool_calls: 0, reported_model: 'm', usage: NO_USAGE };
    },
  };
}

const shown = ({ messages }: CompletionRequest): Record<string, unknown> => JSON.parse(messages[1]?.content ?? '');
const read = (provider: CompletionProvider, searched = memory()) =>
  createDeliberateReader(SETTINGS).read(QUESTION, searched, provider, SIGNAL);

describe('RT-8 a deliberate reader', () => {
  it('RT-8 searches with its own queries, is shown what they found, and answers when it says so', async () => {
    const provider = saying(searchFor('birds', ['Mia']), '{"abstains":false,"answer":"Mia","search":null}');
    const searched = memory();
    expect(await read(provider, searched)).toMatchObject({ answer: 'Mia', abstained: false });
    expect(searched.searches).toEqual([{ query: 'birds', subjects: ['Mia'], new_lines: 1 }]);
    const base = { present: QUESTION.asked_at, question: QUESTION.question };
    expect(provider.asked.map(shown)).toEqual([
      { ...base, context: [], searches: [], searches_left: 3 },
      { ...base, context: ['birds'], searches: searched.searches, searches_left: 2 },
    ]);
  });

  it('RT-8 searches three times at the most: the last request offers none, and has no room for one', async () => {
    const provider = saying(searchFor('a'), searchFor('b'), searchFor('c'), '{"abstains":true,"answer":""}');
    const searched = memory();
    expect(await read(provider, searched)).toMatchObject({ answer: '', abstained: true });
    expect(searched.searches).toHaveLength(3);
    expect(provider.asked.map((request) => shown(request).searches_left)).toEqual([3, 2, 1, 0]);
    const schemas = provider.asked.map(({ response_schema }) => Object.keys(response_schema.schema.properties ?? {}));
    expect(schemas.map((keys) => keys.includes('search'))).toEqual([true, true, true, false]);
    // One that insists breaks the schema, and fails.
    const insists = saying(searchFor('a'), searchFor('b'), searchFor('c'), searchFor('d'));
    await expect(read(insists)).rejects.toMatchObject({ code: 'READER_UNSUPPORTED_COMPLETION', kind: 'provider' });
  });

  it('RT-8 goes on with what was searched already, and does not search it again', async () => {
    const provider = saying(searchFor('c'), '{"abstains":false,"answer":"x"}');
    const made = ['a', 'b'].map((query) => ({ query, subjects: [], new_lines: 1 }));
    const searched = memory(made);
    await read(provider, searched);
    expect(searched.searches.map(({ query }) => query)).toEqual(['a', 'b', 'c']);
    expect(provider.asked.map((request) => shown(request).searches_left)).toEqual([1, 0]);
  });

  it('RT-8 OB-4 a completion that may not be used, or neither searches, answers nor abstains, is its own failure', async () => {
    for (const content of ['no JSON', '{"abstains":false,"answer":"x"}', searchFor('a').replace('"subjects"', '"s"')]) {
      await expect(read(saying(content))).rejects.toMatchObject({ code: 'READER_UNSUPPORTED_COMPLETION' });
    }
    await expect(read(saying('{"abstains":false,"answer":" ","search":null}'))).rejects.toMatchObject({
      code: 'READER_EMPTY_ANSWER',
    });
  });

  it('RT-8 PR-1 its schemas lie in what strict structured output allows: every property is required', async () => {
    const provider = saying(searchFor('a'), searchFor('b'), searchFor('c'), '{"abstains":true,"answer":""}');
    await read(provider);
    for (const { response_schema } of provider.asked) {
      expect(strictSchemaProblem(response_schema.schema)).toBeNull();
      expect(strictModeRefusal(response_schema.schema)).toBeNull();
    }
  });

  it('RT-8 RT-5 its protocol stands behind any prompt, also a file of the user’s own, and is bound with it', async () => {
    const provider = saying('{"abstains":true,"answer":"","search":null}');
    await read(provider);
    const [system] = provider.asked[0]?.messages ?? [];
    expect(system?.content).toMatch(/^Answer in Latin\.\n\n.*searches_left/s);
    const own = deliberatePrompt(SETTINGS.prompt);
    expect(own).toMatchObject({ name: 'latin.txt', text: system?.content, digest: digestText(own.text) });
    const preset = readerPreset('short-answer') as string;
    expect(deliberatePrompt({ name: 'p', text: preset, digest: digestText(preset) }).digest).not.toBe(own.digest);
  });
});

it('RT-8 RS-4 a model’s query is data: control characters become spaces, empty and repeated subjects go, nothing is cut', () => {
  const long = 'x'.repeat(100_000);
  const hostile = { query: ` '; drop table memory.turn; --\u0000\n\u009b1m `, subjects: ['Mia', ' ', '\tMia', long] };
  expect(cleanSearch(hostile)).toEqual({
    query: "'; drop table memory.turn; --   1m",
    subjects: ['Mia', long],
  });
});
