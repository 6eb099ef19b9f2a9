import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { createLocalEmbeddingAdapter } from './embedding.js';
import { EmbeddingPool } from './embedding-pool.js';

const pool = new EmbeddingPool();
afterAll(() => pool.close());
const adapter = createLocalEmbeddingAdapter('use-lite-512', pool);
const SIGNAL = new AbortController().signal;
const bytesOf = (vector: Float32Array | undefined): string =>
  createHash('sha256')
    .update(Buffer.from((vector as Float32Array).buffer))
    .digest('hex');

// A process of its own, in another place and time zone, which drives the same thread and prints the digest of its vector.
const CHILD = `
const { Worker } = require('node:worker_threads');
const { createHash } = require('node:crypto');
const thread = new Worker(process.argv[1], { stdout: true, stderr: true });
thread.on('message', ({ vector }) => {
  console.log(createHash('sha256').update(Buffer.from(vector.buffer)).digest('hex'));
  process.exit(0);
});
thread.postMessage({ id: 0, text: process.argv[2] });
`;

describe('PR-1 local embeddings', () => {
  it('PR-1 RT-2 R-47 the same text has the same bytes in any batch, order and process, and the banner is not printed', async () => {
    const text = 'Mia has a green parrot.';
    const { vectors } = await adapter.prepare(['Leo', text, 'Where is the clinic by the harbour?', text]).send(SIGNAL);
    const [alone] = (await adapter.prepare([text]).send(SIGNAL)).vectors;
    const worker = fileURLToPath(new URL('./embedding-worker.cjs', import.meta.url));
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['-e', CHILD, worker, text], {
      env: { ...process.env, TZ: 'Asia/Tokyo', LANG: '' },
      cwd: '/',
    });
    expect(alone).toHaveLength(512);
    expect([vectors[1], vectors[3], alone].map(bytesOf)).toEqual(Array(3).fill(stdout.trim()));
    expect(bytesOf(vectors[0])).not.toBe(stdout.trim());
    expect(stderr).toBe('');
  });

  it('PR-1 vectors are near for near meanings', async () => {
    const texts = ['Does she own a pet bird?', 'Mia has a green parrot.', 'The invoice was paid on Tuesday.'];
    const [question, near, far] = (await adapter.prepare(texts).send(SIGNAL)).vectors as Float32Array[];
    const dot = (a?: Float32Array, b?: Float32Array): number =>
      (a as Float32Array).reduce((sum, value, index) => sum + value * ((b as Float32Array)[index] as number), 0);
    expect(dot(question, near)).toBeGreaterThan(dot(question, far) + 0.1);
  });

  it('PR-1 a call has its body, its bytes and its digest; it is in process and billed by tokens of its input', async () => {
    const call = adapter.prepare(['hello world']);
    expect(call.body_bytes).toBe('{"input":["hello world"],"model":"use-lite-512"}'.length);
    expect(call.body_digest).toMatch(/^sha256:/);
    expect(call.max_output_tokens).toBe(0);
    expect(adapter.leaves_process).toBe(false);
    const { usage, reported_model } = await call.send(SIGNAL);
    expect(usage).toMatchObject({ input_uncached: 2, output: 0 });
    expect(reported_model).toBe('use-lite-512');
  });

  it('PR-1 refuses no texts, an empty text and another model; hostile text is embedded', async () => {
    const empty = expect.objectContaining({ code: 'EMBEDDING_EMPTY_TEXT' });
    expect(() => adapter.prepare([])).toThrow(empty);
    expect(() => adapter.prepare(['a', ''])).toThrow(empty);
    expect(() => createLocalEmbeddingAdapter('other')).toThrow(expect.objectContaining({ code: 'MODEL_UNKNOWN' }));
    const { vectors } = await adapter.prepare([' ', '\0', '💥', 'x'.repeat(50_000)]).send(SIGNAL);
    for (const vector of vectors) expect(vector.every(Number.isFinite)).toBe(true);
  });

  it('PR-2 an aborted call embeds no more', async () => {
    const stop = new AbortController();
    const sending = adapter.prepare(Array.from({ length: 30 }, (_, index) => `text ${index}`)).send(stop.signal);
    stop.abort(new Error('stopped'));
    await expect(sending).rejects.toThrow('stopped');
    expect((await adapter.prepare(['after']).send(SIGNAL)).vectors).toHaveLength(1);
  });
});
