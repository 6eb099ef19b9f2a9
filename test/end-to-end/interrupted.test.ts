import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { received, simpleModels, stageOf } from '../support/chat-models.js';
import { SLOW_TEST_MS, startCli } from '../support/cli.js';
import {
  allFiles,
  BM25,
  journalOf,
  KEY,
  KEY_VARIABLE,
  RECENCY,
  rowsOf,
  run,
  startPricedServer,
  writeFixture,
  writeMatrix,
} from '../support/cli-priced.js';
import type { OpenAiServer } from '../support/openai-server/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

vi.setConfig({ testTimeout: SLOW_TEST_MS });

let server: OpenAiServer;
afterEach(() => server.close());

describe('a run that is interrupted', () => {
  it('CL-3 LG-5 once: calls in flight end, are settled and keep their rows; nothing more is asked; exit 130', async () => {
    const folder = await temporaryFolder();
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const answer = simpleModels();
    server = await startPricedServer({
      answer: async (request, index) => {
        if (stageOf(request) === 'reader') await held;
        return answer(request, index);
      },
    });
    const parts = { url: server.url, fixtures: [await writeFixture(folder, 'small')], arms: [BM25, RECENCY] };
    const matrix = await writeMatrix(folder, parts);
    const out = join(folder, 'runs');
    const running = startCli(['run', matrix, '--json', '--out', out], { env: { [KEY_VARIABLE]: KEY } });
    await vi.waitFor(() => expect(received(server, 'reader').length).toBeGreaterThan(0), {
      timeout: 60_000,
      interval: 50,
    });
    let shown = '';
    running.child.stderr?.on('data', (text: string) => {
      shown += text;
    });
    running.child.kill('SIGINT');
    await vi.waitFor(() => expect(shown).toContain('stopping'), { timeout: 60_000, interval: 50 });
    release();
    const done = await running.ended;
    expect(done.code, done.stderr).toBe(130);
    const [name] = await readdir(out);
    const journal = await journalOf(join(out, name as string));
    expect(journal.filter(({ kind }) => kind === 'hold')).toEqual([]);
    const rows = await rowsOf(join(out, name as string));
    const asked = received(server, 'reader').length;
    expect(rows.filter(({ outcome }) => outcome.kind === 'answered')).toHaveLength(asked);
    expect(rows.filter(({ outcome }) => outcome.kind === 'skipped').length).toBeGreaterThan(0);
    expect(JSON.parse(done.stdout)).toMatchObject({ status: 'incomplete', ledger: { held_nano_usd: 0 } });
  });
});

describe('a reader that says what must not be kept', () => {
  it('MX-4 RS-4 a key that it repeats is in no file: the row fails, and the run goes on', async () => {
    const folder = await temporaryFolder();
    const answer = simpleModels();
    server = await startPricedServer({
      answer: (request, index) =>
        stageOf(request) === 'reader'
          ? JSON.stringify({ abstains: false, answer: `it is ${KEY}` })
          : answer(request, index),
    });
    const parts = { url: server.url, fixtures: [await writeFixture(folder, 'small')], arms: [BM25] };
    const done = await run(folder, await writeMatrix(folder, parts));
    expect(done.code, done.stderr).toBe(7);
    expect(done.rows.map(({ outcome }) => outcome.cause?.code)).toContain('ANSWER_HOLDS_SECRET');
    // The server did send it.
    expect(received(server, 'reader').length).toBeGreaterThan(0);
    const texts = await Promise.all((await allFiles(folder)).map((path) => readFile(path, 'utf8')));
    expect(texts.length).toBeGreaterThan(5);
    expect(texts.filter((text) => text.includes(KEY))).toEqual([]);
    expect(`${done.stdout}${done.stderr}`).not.toContain(KEY);
  });
});
