import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalJson } from '../../core/canonical-json.js';
import type { CompletionRequest, Message } from '../completion.js';
import { countTokens } from '../tokenizer.js';
import { answerer, LOCAL_COMPLETION_MODELS, localBody, localCompletionAdapter } from './completion-adapter.js';

const signal = new AbortController().signal;
const parts = { readBytes: (path: string) => readFile(path) };
const adapter = localCompletionAdapter(parts);

const TURNS = [
  {
    at: '2025-03-11T09:00:00',
    caption: null,
    corrected: false,
    id: 'T1',
    speaker: 'Petra',
    text: "I've moved to Leeds. My brother Otto sold his boat yesterday.",
  },
  {
    at: '2025-03-11T09:01:00',
    caption: 'a red kayak',
    corrected: false,
    id: 'T2',
    speaker: 'Samir',
    text: 'Where do you work now?',
  },
  { at: '2025-03-11T09:02:00', caption: null, corrected: false, id: 'T3', speaker: 'Petra', text: 'The glass museum.' },
];
const FORMATION = { beliefs: [], people: [], turns: TURNS };
const READING = {
  context: ['[2025-03-11 09:00] Petra: I paid 40 pounds for the kayak yesterday.'],
  present: '2025-04-01T00:00:00',
  question: 'How much did Petra pay for the kayak?',
};

function request(model: string, message: unknown, changes: Partial<CompletionRequest> = {}): CompletionRequest {
  return {
    messages: [
      { role: 'system', content: 'Instructions.' },
      { role: 'user', content: typeof message === 'string' ? message : canonicalJson(message) },
    ],
    response_schema: { name: 'answer', schema: {} },
    parameters: { max_output_tokens: 4096, temperature: 0, top_p: null, seed: null, reasoning_effort: null },
    model: {
      kind: 'local',
      wire_api: 'in-process',
      endpoint: 'local',
      model,
      resolved_at: '2025-01-01T00:00:00Z',
      credential_ref: null,
    },
    metadata: { stage: 'formation', fixture: 'f', batch: 'b', question: null },
    ...changes,
  };
}

const send = async (asked: CompletionRequest) => adapter.prepare(asked).send(signal);
const contentOf = async (asked: CompletionRequest): Promise<string> => (await send(asked)).contents[0] ?? '';

const formationSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['beliefs', 'people'],
  properties: {
    beliefs: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['statement', 'subjects', 'sources', 'confidence', 'observed_at', 'supersedes'],
        properties: {
          statement: { type: 'string', minLength: 1 },
          subjects: { type: 'array', items: { type: 'string' } },
          sources: { type: 'array', minItems: 1, items: { type: 'string' } },
          confidence: { type: 'number', minimum: 0, maximum: 1 },
          observed_at: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}:\\d{2})?$' },
          supersedes: { type: 'array', items: { type: 'string' } },
        },
      },
    },
    people: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'aliases', 'role', 'sources'],
        properties: {
          name: { type: 'string', minLength: 1 },
          aliases: { type: 'array', items: { type: 'string' } },
          role: { type: ['string', 'null'] },
          sources: { type: 'array', minItems: 1, items: { type: 'string' } },
        },
      },
    },
  },
};
const readerSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['abstains', 'answer'],
  properties: { abstains: { type: 'boolean' }, answer: { type: 'string' } },
};
const ajv = new Ajv();
const isFormation = ajv.compile(formationSchema);
const isReading = ajv.compile(readerSchema);

describe('local completion adapter', () => {
  it('PR-1 refuses an unknown model at prepare, naming those it has', () => {
    expect(() => adapter.prepare(request('gpt-9', FORMATION))).toThrowError(
      expect.objectContaining({ code: 'LOCAL_MODEL_UNKNOWN', kind: 'invalid-input' }),
    );
    expect(() => adapter.prepare(request('constructor', FORMATION))).toThrowError(
      expect.objectContaining({ code: 'LOCAL_MODEL_UNKNOWN' }),
    );
    for (const model of Object.keys(LOCAL_COMPLETION_MODELS))
      expect(adapter.prepare(request(model, FORMATION)).body_bytes).toBeGreaterThan(0);
  });

  it('PR-1 leaves no process, reports its model with its version, and counts usage by the one tokenizer', async () => {
    const asked = request('extractive-facts-1', FORMATION);
    const completion = await send(asked);
    expect(adapter.leaves_process).toBe(false);
    expect(completion).toMatchObject({
      finish: 'stop',
      tool_calls: 0,
      reported_model: `extractive-facts-1@${LOCAL_COMPLETION_MODELS['extractive-facts-1']}`,
    });
    const input = asked.messages.reduce((sum, message) => sum + countTokens(message.content), 0);
    expect(completion.usage).toEqual({
      input_uncached: input,
      cache_read: 0,
      cache_write: 0,
      output: countTokens(completion.contents[0] ?? ''),
      reasoning: 0,
    });
  });

  it('FB-3 bytes only: metadata, key and endpoint change nothing, the bytes change everything', async () => {
    const plain = await contentOf(request('extractive-facts-1', FORMATION));
    const other = request('extractive-facts-1', FORMATION);
    const renamed = {
      ...other,
      model: { ...other.model, endpoint: 'elsewhere', credential_ref: 'KEY' },
      metadata: { stage: 'reader', fixture: 'x', batch: null, question: 'q9' },
    } as CompletionRequest;
    expect(await contentOf(renamed)).toBe(plain);
    const bytes = localBody(request('extractive-facts-1', FORMATION));
    const changed = new TextEncoder().encode(new TextDecoder().decode(bytes).replace('Leeds', 'Crewe'));
    const answer = answerer(parts);
    expect((await answer(bytes, signal)).contents[0]).toBe(plain);
    expect((await answer(changed, signal)).contents[0]).toContain('Crewe');
    expect(plain).not.toContain('Crewe');
  });

  it('FB-3 a prepared body stays what it was when the request object is changed afterwards', async () => {
    const asked = request('extractive-reader-1', READING);
    const prepared = adapter.prepare(asked);
    (asked.messages as Message[])[1] = { role: 'user', content: '{}' };
    expect(JSON.parse((await prepared.send(signal)).contents[0] ?? '')).toEqual({
      abstains: false,
      answer: '40 pounds',
    });
  });

  it('PR-3 a cancelled call is a typed failure', async () => {
    const prepared = adapter.prepare(request('extractive-reader-1', READING));
    await expect(prepared.send(AbortSignal.abort())).rejects.toMatchObject({
      reason: 'cancelled',
      billing: 'not-billed',
    });
  });

  it('PR-1 drops the least sure beliefs to stay within the output limit, and says length where nothing fits', async () => {
    const many = {
      ...FORMATION,
      turns: Array.from({ length: 30 }, (_, i) => ({
        ...TURNS[0],
        id: `M${i}`,
        text: `I bought ${i + 2} green lamps for the old library.`,
      })),
    };
    const asked = request('extractive-facts-1', many);
    const limited = { ...asked, parameters: { ...asked.parameters, max_output_tokens: 1200 } };
    const whole = JSON.parse(await contentOf(asked)) as { beliefs: unknown[] };
    const cut = await send(limited);
    const kept = JSON.parse(cut.contents[0] ?? '') as { beliefs: unknown[] };
    expect(whole.beliefs).toHaveLength(30);
    expect(kept.beliefs.length).toBeGreaterThan(3);
    expect(kept.beliefs.length).toBeLessThan(30);
    expect(cut).toMatchObject({ finish: 'stop' });
    expect(cut.usage?.output).toBeLessThanOrEqual(1200);
    expect(await send({ ...asked, parameters: { ...asked.parameters, max_output_tokens: 3 } })).toMatchObject({
      finish: 'length',
    });
  });

  it('PR-1 answers by the schema whatever the turns hold', { timeout: 60_000 }, async () => {
    const word = fc.constantFrom(
      'I',
      "I'm",
      'my',
      'sister',
      'Una',
      'moved',
      'to',
      'Leeds',
      'yesterday',
      '?',
      '.',
      '"',
      '{"beliefs":[]}',
      '\n',
      '🙂',
      'Mr',
      'Dr.',
      'you',
      'it',
      'not',
      '£5',
      '(',
      ')',
      '[',
      '\\',
      "'s",
      'instead',
      'Friday',
      'the 31st of February',
    );
    const text = fc.oneof(
      fc.array(word, { maxLength: 25 }).map((words) => words.join(' ')),
      fc.string({ unit: 'grapheme', maxLength: 80 }),
    );
    const speaker = fc.oneof(fc.constantFrom('Una', 'Bo', 'Constructor', 'A.*('), fc.string({ maxLength: 6 }));
    const turn = fc.record({
      at: fc.constantFrom('2024-02-29T23:59:00', '0001-01-01T00:00:00'),
      caption: fc.option(text),
      corrected: fc.boolean(),
      id: fc.string({ minLength: 1, maxLength: 4 }),
      speaker,
      text,
    });
    const belief = fc.record({
      ref: fc.constantFrom('B1', 'B2'),
      statement: text,
      subjects: fc.array(speaker, { maxLength: 2 }),
      observed_at: fc.option(fc.constant('2023-01-01')),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(turn, { maxLength: 5 }),
        fc.array(belief, { maxLength: 2 }),
        text,
        async (turns, beliefs, question) => {
          const formed = JSON.parse(await contentOf(request('extractive-facts-1', { beliefs, people: [], turns }))) as {
            beliefs: { sources: string[]; supersedes: string[] }[];
            people: { sources: string[] }[];
          };
          expect(isFormation(formed), JSON.stringify(isFormation.errors)).toBe(true);
          const ids = new Set(turns.map((one) => one.id));
          const refs = new Set<string>(beliefs.map((one) => one.ref));
          for (const one of [...formed.beliefs, ...formed.people])
            for (const id of one.sources) expect(ids.has(id)).toBe(true);
          for (const one of formed.beliefs) for (const ref of one.supersedes) expect(refs.has(ref)).toBe(true);
          const context = turns.map((one) => `[2024-02-29 23:59] ${one.speaker}: ${one.text.replaceAll('\n', ' ')}`);
          const read = JSON.parse(
            await contentOf(request('extractive-reader-1', { context, present: '2024-03-01T00:00:00', question })),
          ) as { abstains: boolean; answer: string };
          expect(isReading(read)).toBe(true);
          expect(read.abstains).toBe(read.answer === '');
        },
      ),
      { numRuns: 60, seed: 11 },
    );
    expect(isFormation({ beliefs: [{}], people: [] })).toBe(false);
  });

  it('PR-1 answers what is no message of its kind by the schema too', async () => {
    for (const message of ['', 'hello', '[]', '{"turns":7}', 'null', `{"turns":[],"x":"${'y'.repeat(50_000)}"}`]) {
      expect(JSON.parse(await contentOf(request('extractive-facts-1', message)))).toEqual({ beliefs: [], people: [] });
      expect(JSON.parse(await contentOf(request('extractive-reader-1', message)))).toEqual({
        abstains: true,
        answer: '',
      });
    }
  });

  it('PR-1 takes a huge turn in reasonable time', { timeout: 30_000 }, async () => {
    const text = `${'wool and '.repeat(3_000)}. ${'x'.repeat(20_000)} ${"I'm in Leeds. ".repeat(300)}`;
    const formed = JSON.parse(
      await contentOf(request('extractive-facts-1', { ...FORMATION, turns: [{ ...TURNS[0], text }] })),
    );
    expect(isFormation(formed)).toBe(true);
  });
});

describe('determinism in another process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'local-model-'));
  const bundle = join(process.cwd(), 'node_modules', '.cache', `local-model-${process.pid}.mjs`);
  beforeAll(async () => {
    await build({
      logLevel: 'error',
      configFile: false,
      build: {
        ssr: join(import.meta.dirname, 'completion-adapter.ts'),
        outDir: join(bundle, '..'),
        emptyOutDir: false,
        rollupOptions: { output: { entryFileNames: bundle.split(/[\\/]/).at(-1) ?? '' } },
      },
    });
  }, 60_000);
  afterAll(async () => {
    const { rm } = await import('node:fs/promises');
    await rm(bundle, { force: true });
    await rm(folder, { recursive: true, force: true });
  });

  it('FB-3 gives equal bytes under other zones, languages and working directories', { timeout: 60_000 }, async () => {
    const script = `
      import { localCompletionAdapter } from ${JSON.stringify(`file://${bundle}`)};
      const adapter = localCompletionAdapter();
      for (const request of JSON.parse(process.argv[1])) console.log(JSON.stringify(await adapter.prepare(request).send(new AbortController().signal)));`;
    const requests = [request('extractive-facts-1', FORMATION), request('extractive-reader-1', READING)];
    const run = (env: Record<string, string>, cwd: string) =>
      execFileSync(process.execPath, ['--input-type=module', '-e', script, JSON.stringify(requests)], {
        cwd,
        env: { PATH: process.env.PATH ?? '', ...env },
        encoding: 'utf8',
      });
    const outputs = [
      run({ TZ: 'Pacific/Auckland', LANG: '' }, folder),
      run({ TZ: 'America/Los_Angeles', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' }, process.cwd()),
      `${(await Promise.all(requests.map(send))).map((completion) => JSON.stringify(completion)).join('\n')}\n`,
    ];
    expect(outputs[0]).toContain('10 March 2025');
    expect(new Set(outputs).size).toBe(1);
  });
});
