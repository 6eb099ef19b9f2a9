import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvalidInputErrors, type RecallMatrixError } from '../../core/errors.js';
import { type CompletionRequest, ProviderFailure } from '../completion.js';
import { createTranscriptAdapter, TranscriptAdapter } from './transcript-adapter.js';

const live = new AbortController().signal;
let folder: string;
let count = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'transcript-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileOf(content: string | Uint8Array): Promise<string> {
  count += 1;
  const path = join(folder, `${count}.jsonl`);
  await writeFile(path, content);
  return path;
}
const lineOf = (batch: string, output: unknown = { people: [], beliefs: [] }): string =>
  JSON.stringify({ batch, model: 'gpt-3.5-turbo', output, source: 'published' });

function request(batch: string | null, kind: 'transcript' | 'local' = 'transcript'): CompletionRequest {
  return {
    messages: [{ role: 'user', content: 'turns' }],
    response_schema: { name: 'facts', schema: { type: 'object' } },
    parameters: { max_output_tokens: 100, temperature: null, top_p: null, seed: null, reasoning_effort: null },
    model: {
      kind,
      wire_api: 'in-process',
      endpoint: 'in-process',
      model: 'gpt-3.5-turbo',
      resolved_at: '',
      credential_ref: null,
    },
    metadata: { stage: 'formation', fixture: 'f', batch, question: null },
  };
}

async function faultsOf(content: string | Uint8Array): Promise<readonly RecallMatrixError[]> {
  const error: unknown = await new TranscriptAdapter(await fileOf(content)).load().catch((cause: unknown) => cause);
  return error instanceof InvalidInputErrors ? error.errors : [error as RecallMatrixError];
}

describe('PR-1 the transcript kind', () => {
  it('PR-1 answers by batch: an object as canonical JSON, a text as it stands, with the model of the line and no usage', async () => {
    const path = await fileOf(`${lineOf('session_1')}\n${lineOf('session_2', '{"b": 1, "a": 2}')}\n`);
    const adapter = createTranscriptAdapter({ path: folder, transcript_path: path });
    expect(adapter.leaves_process).toBe(false);
    expect(await adapter.prepare(request('session_2')).send(live)).toEqual({
      contents: ['{"b": 1, "a": 2}'],
      finish: 'stop',
      tool_calls: 0,
      reported_model: 'gpt-3.5-turbo',
      usage: null,
    });
    expect(await adapter.unusedBatches()).toEqual(['session_1']);
    const first = await adapter.prepare(request('session_1')).send(live);
    expect(first.contents).toEqual(['{"beliefs":[],"people":[]}']);
    expect(await adapter.unusedBatches()).toEqual([]);
  });

  it.each(['session_9', null])(
    'LG-5 a batch that is not there (%s) is a typed failure that cost nothing',
    async (batch) => {
      const adapter = new TranscriptAdapter(await fileOf(`${lineOf('session_1')}\n`));
      const error: unknown = await adapter
        .prepare(request(batch))
        .send(live)
        .catch((cause: unknown) => cause);
      expect(error).toBeInstanceOf(ProviderFailure);
      expect(error).toMatchObject({
        reason: 'missing-completion',
        billing: 'not-billed',
        remedy: expect.stringContaining('import'),
      });
    },
  );

  it('PR-1 refuses requests of another kind, and answers none after a cancellation', async () => {
    const adapter = new TranscriptAdapter(await fileOf(`${lineOf('session_1')}\n`));
    expect(() => adapter.prepare(request('session_1', 'local'))).toThrow(
      expect.objectContaining({ code: 'WRONG_PROVIDER' }),
    );
    await expect(adapter.prepare(request('session_1')).send(AbortSignal.abort())).rejects.toMatchObject({
      reason: 'cancelled',
      billing: 'not-billed',
    });
  });
});

describe('RS-2 a bad transcript is refused with its line', () => {
  it('PR-1 all bad lines together', async () => {
    const faults = await faultsOf(`${lineOf('a')}\nnot json\n${lineOf('a')}\n\n${JSON.stringify({ batch: 'b' })}\n`);
    expect(faults.map(({ code, location, exitCode }) => [code, location?.line, exitCode])).toEqual([
      ['TRANSCRIPT_LINE_INVALID', 2, 2],
      ['TRANSCRIPT_BATCH_TWICE', 3, 2],
      ['TRANSCRIPT_LINE_INVALID', 4, 2],
      ['TRANSCRIPT_LINE_INVALID', 5, 2],
    ]);
    expect(faults[1]?.message).toContain('on line 1 already');
  });

  it.each([
    [lineOf('a').replace('"source"', '"sauce"'), 'source'],
    [lineOf('a').replace(/}$/, ',"extra":1}'), 'extra'],
    [lineOf('a', 7), 'output'],
    [lineOf('a', ['x']), 'output'],
    [lineOf(''), 'batch'],
    [lineOf('a', { statement: 'a\u0000' }), 'U+0000 at $.output.statement'],
    [lineOf('a', '\ud800'), 'a lone surrogate at $.output'],
    [lineOf('a').replace('"people":[]', '"people":[],"people":[]'), 'duplicate key at $.output.people'],
  ])('line %#', async (line, words) => {
    const [fault] = await faultsOf(`${line}\n`);
    expect(fault).toMatchObject({ code: 'TRANSCRIPT_LINE_INVALID', location: { line: 1 } });
    expect(fault?.message).toContain(words);
  });

  it('PR-1 a missing, an oversized and a mis-encoded file', async () => {
    const path = await fileOf(`${lineOf('a')}\n`);
    await expect(new TranscriptAdapter(path, 10).load()).rejects.toMatchObject({
      code: 'TRANSCRIPT_TOO_LARGE',
      exitCode: 2,
    });
    await expect(new TranscriptAdapter(`${path}.none`).load()).rejects.toMatchObject({
      code: 'TRANSCRIPT_MISSING',
      exitCode: 2,
    });
    expect((await faultsOf(Buffer.from([0xff, 0xfe])))[0]).toMatchObject({ code: 'TRANSCRIPT_NOT_UTF8' });
    expect(() => createTranscriptAdapter({ path: folder, transcript_path: null })).toThrow(
      expect.objectContaining({ code: 'TRANSCRIPT_MISSING' }),
    );
  });
});
