import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { BankListDocument, RecordResult } from '../../src/experiment/experiment.js';
import { received, simpleModels, userMessage } from '../support/chat-models.js';
import { documentOf, exits, SLOW_TEST_MS, startCli } from '../support/cli.js';
import {
  BM25,
  cli,
  journalOf,
  KEY,
  KEY_VARIABLE,
  startPricedServer,
  writeFixture,
  writeMatrix,
} from '../support/cli-priced.js';
import type { OpenAiServer } from '../support/openai-server/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

vi.setConfig({ testTimeout: SLOW_TEST_MS });
const POLL = { timeout: 60_000, interval: 50 };
const env = { [KEY_VARIABLE]: KEY };

let server: OpenAiServer;
afterEach(() => server.close());

/** A priced matrix of one small fixture, two formation calls; the server holds its answers to the second until it is let go. */
async function heldAtSecondCall() {
  const folder = await temporaryFolder();
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const answer = simpleModels();
  server = await startPricedServer({
    answer: async (request, index) => {
      if (index === 1) await held;
      return answer(request, index);
    },
  });
  const fixture = await writeFixture(folder, 'small');
  const matrix = await writeMatrix(folder, { url: server.url, fixtures: [fixture], arms: [BM25] });
  const out = join(folder, 'runs');
  const start = (...flags: string[]) => {
    const running = startCli(['record', matrix, '--json', '--out', out, ...flags], { env });
    let said = '';
    running.child.stderr?.on('data', (text: string) => {
      said += text;
    });
    return { ...running, said: () => said };
  };
  return { folder, fixture, matrix, out, banks: join(folder, 'banks'), start, release: () => release() };
}

/** The batch of each formation request that the server received, by what it shows. */
const askedBatches = () => received(server, 'formation').map(({ body }) => JSON.stringify(userMessage(body).turns));

describe('FB-13 two processes and one fixture', () => {
  it('FB-13 the second waits, says for whom, and replays what the first sealed; no call is sent twice', async () => {
    const { start, release } = await heldAtSecondCall();
    const first = start();
    await vi.waitFor(() => expect(received(server, 'formation')).toHaveLength(2), POLL);
    const impatient = await exits(5, start('--wait', '0').ended);
    expect(impatient.stderr).toMatch(/BANK_RECORDING_IN_PROGRESS: small is being recorded by process \d+ on /);
    const second = start();
    await vi.waitFor(() => expect(second.said()).toContain(`being recorded by process ${first.child.pid} on `), POLL);
    expect(second.said()).toContain('waiting for its bank, up to 600 s');
    release();
    const [one, two] = [await exits(0, first.ended), await exits(0, second.ended)].map(
      (result) => documentOf(result) as RecordResult,
    );
    expect(one?.formation).toMatchObject([{ source: 'recorded' }]);
    expect(two?.formation).toMatchObject([{ source: 'replayed', bank: one?.formation[0]?.bank, actual_nano_usd: 0 }]);
    expect(two?.ledger).toMatchObject({ sends: 0, spent_nano_usd: 0 });
    expect(askedBatches()).toHaveLength(2);
  });

  it('FB-9 FB-13 LG-1 the first dies: the second names it and both commands; the printed command asks only for what is missing', async () => {
    const { start, banks, out, release } = await heldAtSecondCall();
    const first = start();
    await vi.waitFor(() => expect(received(server, 'formation')).toHaveLength(2), POLL);
    const second = start();
    await vi.waitFor(() => expect(second.said()).toContain('waiting for its bank'), POLL);
    first.child.kill('SIGKILL');
    await first.ended;
    const refused = await exits(5, second.ended);
    const [journal] = (await readdir(banks)).filter((name) => name.endsWith('.pending.jsonl'));
    const path = join(banks, journal as string);
    expect(refused.stderr).toContain(
      `BANK_RECORDING_INTERRUPTED: an interrupted recording of small stands at 1 completion: ${path}`,
    );
    expect(refused.stderr).toContain(`recall-matrix bank abandon ${path} --reason "..."`);
    const printed = /^ +recall-matrix (bank continue .*)$/m.exec(refused.stderr)?.[1]?.split(' ') ?? [];
    release();
    const continued = await exits(0, cli([...printed, '--json', '--out', out], { env }));
    expect(continued.stderr).toContain(`small: taking over 1 completion of ${path}`);
    const result = documentOf(continued) as RecordResult;
    expect(result).toMatchObject({
      status: 'complete',
      formation: [{ source: 'recorded', calls: 2 }],
      ledger: { sends: 1 },
    });
    // The first batch was asked once; the second was asked before, uncertainly, and once more.
    const [one, two, three, ...more] = askedBatches();
    expect(more).toEqual([]);
    expect(three).toBe(two);
    expect(one).not.toBe(two);
    const ledger = await journalOf(result.path);
    expect(ledger.filter(({ kind }) => kind === 'reserve').map(({ unit }) => unit)).toEqual(['session_2']);
    const listing = documentOf(await exits(0, cli(['bank', 'list', banks, '--json']))) as BankListDocument;
    expect(listing).toMatchObject({
      banks: [{ digest: result.formation[0]?.bank, calls: 2, attempts: 3, continues: { completions: 1 } }],
      pending: [],
      failed: [{ completed: 1, reason: expect.stringContaining('taken over') }],
    });
    // The recording that died keeps what it holds: the call may have been billed. The one that waited made no ledger.
    const [died, ...others] = (await readdir(out)).filter((name) => name.startsWith('record-'));
    expect(others).toEqual([]);
    const held = documentOf(await exits(0, cli(['ledger', join(out, died as string), '--json'], { env })));
    expect((held as { uncertain: unknown[] }).uncertain).toHaveLength(1);
  });

  it('FB-9 under another matrix it is refused, naming what differs, before a server starts; nothing is sent', async () => {
    const { start, banks, out, matrix, folder, fixture } = await heldAtSecondCall();
    const first = start();
    await vi.waitFor(() => expect(received(server, 'formation')).toHaveLength(2), POLL);
    const [journal] = (await readdir(banks)).filter((name) => name.endsWith('.pending.jsonl'));
    const path = join(banks, journal as string);
    const alive = await exits(5, cli(['bank', 'continue', path, '--matrix', matrix, '--out', out], { env }));
    expect(alive.stderr).toContain('BANK_RECORDING_IN_PROGRESS');
    first.child.kill('SIGKILL');
    await first.ended;
    const other = await writeMatrix(folder, {
      url: server.url,
      fixtures: [fixture],
      arms: [BM25],
      profile: { temperature: 1 },
      name: 'other',
    });
    const refused = await exits(5, cli(['bank', 'continue', path, '--matrix', other, '--out', out], { env }));
    expect(refused.stderr).toMatch(/BANK_CONTINUE_IDENTITY_DIFFERS: .*; profile\.parameters\.temperature differs/);
    expect(await exits(2, cli(['bank', 'continue', join(banks, 'none'), '--matrix', matrix]))).toMatchObject({
      stderr: expect.stringContaining('JOURNAL_NOT_FOUND'),
    });
    expect((await readdir(out)).filter((name) => name.startsWith('continue-'))).toEqual([]);
    expect(askedBatches()).toHaveLength(2);
  });
});

describe('a bank folder that cannot be written', () => {
  it('FB-10 is refused before a server starts or a run folder is made', async () => {
    const folder = await temporaryFolder();
    server = await startPricedServer({ answer: simpleModels() });
    const fixture = await writeFixture(folder, 'small');
    const matrix = await writeMatrix(folder, { url: server.url, fixtures: [fixture], arms: [BM25] });
    const out = join(folder, 'runs');
    // No user, root included, makes a file there.
    const refused = await exits(
      2,
      cli(['run', matrix, '--out', out, '--bank-directory', '/sys/recall-matrix-banks'], { env }),
    );
    expect(refused.stderr).toMatch(/FOLDER_NOT_WRITABLE.*\/sys\/recall-matrix-banks/);
    expect(await readdir(out).catch(() => [])).toEqual([]);
    expect(server.requests).toEqual([]);
  });
});
