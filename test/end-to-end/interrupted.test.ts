import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RunResult } from '../../src/experiment/experiment.js';
import { received, simpleModels, stageOf } from '../support/chat-models.js';
import { SLOW_TEST_MS, startCli } from '../support/cli.js';
import {
  allFiles,
  BM25,
  cli,
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
    const command = `recall-matrix run --resume ${join(out, name as string)}`;
    expect(JSON.parse(done.stdout)).toMatchObject({
      status: 'incomplete',
      resume: command,
      ledger: { held_nano_usd: 0 },
    });
    expect(done.stderr).toContain(`\nto continue: ${command}\n`);
  });

  it('CL-3 LG-6 twice: it stops at once and says how to go on; what was in flight stays held, also once it is resumed', async () => {
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
    const out = join(folder, 'runs');
    const args = ['run', await writeMatrix(folder, parts), '--json', '--out', out];
    const running = startCli(args, { env: { [KEY_VARIABLE]: KEY } });
    await vi.waitFor(() => expect(received(server, 'reader')).toHaveLength(2), { timeout: 60_000, interval: 50 });
    let shown = '';
    running.child.stderr?.on('data', (text: string) => {
      shown += text;
    });
    running.child.kill('SIGINT');
    await vi.waitFor(() => expect(shown).toContain('stopping'), { timeout: 60_000, interval: 50 });
    running.child.kill('SIGINT');
    const stopped = await running.ended;
    expect(stopped.code, stopped.stderr).toBe(130);
    const [name] = await readdir(out);
    const run = join(out, name as string);
    const resume = `recall-matrix run --resume ${run}`;
    expect(JSON.parse(stopped.stdout)).toMatchObject({ format: 'error@1', resume, errors: [{ code: 'INTERRUPTED' }] });
    expect(stopped.stderr).toContain(`to continue: ${resume}`);
    release();
    const resumed = await cli(['run', '--resume', run, '--json']);
    expect(resumed.code, resumed.stderr).toBe(0);
    const { ledger, status } = JSON.parse(resumed.stdout) as RunResult;
    expect(status).toBe('complete');
    expect((await journalOf(run)).filter(({ kind }) => kind === 'hold')).toHaveLength(2);
    expect(ledger.uncertain_nano_usd).toBeGreaterThan(0);
    expect(server.bill().nano_usd).toBeLessThanOrEqual(BigInt(ledger.spent_nano_usd + ledger.held_nano_usd));
    expect(received(server, 'reader')).toHaveLength(8 + 2);
  });
});

describe('a run whose reader went away', () => {
  it('CL-4 RS-3 goes on to its end where nobody reads standard error any more (`2>&1 >result.json | head`)', async () => {
    const folder = await temporaryFolder();
    server = await startPricedServer({ answer: simpleModels() });
    const parts = { url: server.url, fixtures: [await writeFixture(folder, 'small')], arms: [BM25] };
    const args = ['run', await writeMatrix(folder, parts), '--json', '--out', join(folder, 'runs')];
    const running = startCli(args, { env: { [KEY_VARIABLE]: KEY } });
    running.child.stderr?.once('data', () => running.child.stderr?.destroy());
    const { code, stdout } = await running.ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'complete', arms: [{ answered: 4 }] });
  });
});

describe('a disk that is full', () => {
  it('RS-3 is named with its remedy, loses nothing that was promised, and the run is resumed once there is room', async () => {
    const folder = await temporaryFolder();
    server = await startPricedServer({ answer: simpleModels() });
    const parts = { url: server.url, fixtures: [await writeFixture(folder, 'small')], arms: [BM25, RECENCY] };
    const matrix = await writeMatrix(folder, parts);
    const out = join(folder, 'runs');
    expect((await cli(['record', matrix, '--out', join(folder, 'recordings')])).code).toBe(0);
    const recorded = server.bill().nano_usd;
    const full = await cli(['run', matrix, '--out', out], { largest_file_kib: 7 });
    expect(full.code, full.stderr).toBe(1);
    expect(full.stderr).toMatch(/(JOURNAL_WRITE_FAILED|LEDGER_UNRESOLVED|RUN_FOLDER_WRITE_FAILED): .*\n {2}remedy: \S/);
    expect(full.stderr).not.toContain('this is a bug');
    const [name] = await readdir(out);
    const run = join(out, name as string);
    expect(full.stderr).toContain(`to continue: recall-matrix run --resume ${run}`);
    const before = received(server, 'reader').length;
    expect(before).toBeGreaterThan(0);
    const resumed = await cli(['run', '--resume', run, '--json']);
    expect(resumed.code, resumed.stderr).toBe(0);
    const { ledger, arms } = JSON.parse(resumed.stdout) as RunResult;
    expect(arms.map(({ answered }) => answered)).toEqual([4, 4]);
    const billed = server.bill().nano_usd - recorded;
    expect(billed).toBeLessThanOrEqual(BigInt(ledger.spent_nano_usd + ledger.held_nano_usd));
    expect(received(server, 'reader').length - before).toBeLessThan(8);
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
