import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { received, simpleModels } from '../support/chat-models.js';
import { SLOW_TEST_MS } from '../support/cli.js';
import {
  allFiles,
  BM25,
  cli,
  formationOf,
  KEY,
  KEY_VARIABLE,
  RECENCY,
  run,
  startPricedServer,
  writeFixture,
  writeMatrix,
} from '../support/cli-priced.js';
import type { OpenAiServer, OpenAiServerOptions } from '../support/openai-server/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

vi.setConfig({ testTimeout: SLOW_TEST_MS });

let server: OpenAiServer;
afterEach(() => server.close());

async function prepare(options: Omit<OpenAiServerOptions, 'api_key' | 'models'> = {}) {
  const folder = await temporaryFolder();
  server = await startPricedServer({ answer: simpleModels(), ...options });
  const parts = { url: server.url, fixtures: [await writeFixture(folder, 'small')], arms: [BM25, RECENCY] };
  return { folder, parts, banks: join(folder, 'banks'), matrix: await writeMatrix(folder, parts) };
}

const names = async (folder: string): Promise<string[]> => (await allFiles(folder)).map((path) => basename(path));
const reservations = (journal: Awaited<ReturnType<typeof run>>['journal']) =>
  journal.filter(({ kind, stage }) => kind === 'reserve' && stage === 'formation').map(({ unit }) => unit);

describe('FB-11 completions that a bank must not hold', () => {
  it('FB-11 LG-7 one truncated attempt and a good one: a bank that says so, two reservations', async () => {
    const { folder, matrix, banks } = await prepare({ failures: [{ when: 0, failure: { kind: 'truncated' } }] });
    const done = await run(folder, matrix);
    expect(done.code, done.stderr).toBe(0);
    expect(reservations(done.journal)).toEqual(['session_1', 'session_1', 'session_2']);
    const listed = JSON.parse((await cli(['bank', 'list', banks, '--json'])).stdout);
    expect(listed).toMatchObject({ banks: [{ calls: 2, attempts: 3 }], pending: [], failed: [] });
    const [file] = (await allFiles(banks)).filter((path) => path.endsWith('.bank.json'));
    const bank = JSON.parse(await readFile(file as string, 'utf8'));
    expect(bank.calls.map(({ attempts }: { attempts: number }) => attempts)).toEqual([2, 1]);
    // Both attempts were paid; the bank's own cost is that of what it kept.
    const formed = formationOf(done.result, 'small');
    expect(formed.actual_nano_usd).toBeGreaterThan(formed.attributed_nano_usd as number);
    expect(BigInt(done.result.ledger.spent_nano_usd)).toBe(server.bill().nano_usd);
  });

  it.each([
    ['truncated twice: exit 5', { kind: 'truncated' } as const, 5, 2],
    ['a wrong key: exit 7, and not asked again', { kind: 'status', status: 401 } as const, 7, 1],
  ])(
    'FB-11 R-17 %s; the journal is listed among the failed ones, and never replays',
    async (_, failure, code, asked) => {
      const { folder, matrix, banks } = await prepare();
      server.failNext(failure, asked);
      const done = await run(folder, matrix);
      expect(done.code, done.stderr).toBe(code);
      expect(done.stderr).toContain('BANK_RECORDING_FAILED');
      expect(server.requests).toHaveLength(asked);
      expect(formationOf(done.result, 'small')).toMatchObject({
        source: 'failed',
        bank: null,
        actual_nano_usd: done.result.ledger.spent_nano_usd,
      });
      expect(done.rows).toEqual([]);
      const left = await names(banks);
      expect(left.filter((name) => name.endsWith('.bank.json') || name.endsWith('.pending.jsonl'))).toEqual([]);
      const [journal, ...more] = await allFiles(join(banks, 'failed'));
      expect(more).toEqual([]);

      const listed = JSON.parse((await cli(['bank', 'list', banks, '--json'])).stdout);
      expect(listed).toMatchObject({
        banks: [],
        pending: [],
        failed: [{ path: journal, fixture: 'small', reserved: asked, completed: 0 }],
      });
      const replay = await cli([
        'run',
        await writeMatrix(folder, {
          url: server.url,
          fixtures: [join(folder, 'small')],
          arms: [BM25],
          bank: 'replay-only',
          name: 'replay',
        }),
      ]);
      expect(replay).toMatchObject({ code: 5, stderr: expect.stringContaining('BANK_NOT_FOUND') });
      expect(server.requests).toHaveLength(asked);

      const again = await run(folder, matrix);
      expect(again.code, again.stderr).toBe(0);
      expect(formationOf(again.result, 'small').source).toBe('recorded');
      expect(received(server, 'formation')).toHaveLength(asked + 2);
      expect(await names(join(banks, 'failed'))).toEqual([basename(journal as string)]);
    },
  );

  it('LG-9 usage above the reservation while recording: booked as it is, reported, and nothing is sent after it', async () => {
    const usage = { prompt_tokens: 90_000_000, completion_tokens: 10, total_tokens: 90_000_010 };
    const { folder, matrix } = await prepare({ failures: [{ when: 0, failure: { kind: 'usage', usage } }] });
    const done = await run(folder, matrix);
    expect(done.code, done.stderr).toBe(4);
    expect(server.requests).toHaveLength(1);
    expect(done.journal.map(({ kind }) => kind)).toEqual([undefined, 'reserve', 'settle', 'breach']);
    expect(done.result.ledger).toMatchObject({ breached: true, spent_nano_usd: 90_000_000 * 150 + 10 * 600 });
    expect(formationOf(done.result, 'small').actual_nano_usd).toBe(done.result.ledger.spent_nano_usd);
    expect(done.rows).toEqual([]);
    expect(done.result.resume).toBeNull();
    const [pending] = (await names(join(folder, 'banks'))).filter((name) => name.endsWith('.pending.jsonl'));
    expect(done.result.problems[0]?.remedy).toContain(`bank continue ${join(folder, 'banks', pending as string)}`);
    expect(done.result.problems[0]?.remedy).toContain('start a new run');
  });

  it('FB-9 LG-10 a budget that stops it: both commands are named, and done in their order they complete the run', async () => {
    const { folder, matrix, banks } = await prepare();
    const small = (await readFile(matrix, 'utf8')).replace(/budget_usd: .*/, 'budget_usd: "0.0001"');
    await writeFile(matrix, small);
    const stopped = await run(folder, matrix);
    expect(stopped.code, stopped.stderr).toBe(4);
    const [pending] = (await names(banks)).filter((name) => name.endsWith('.pending.jsonl'));
    const journal = join(banks, pending as string);
    const continued = ['bank', 'continue', journal, '--matrix', matrix, '--fixtures', join(folder, 'small')];
    expect(stopped.stderr).toContain(`recall-matrix ${continued.join(' ')}`);
    expect(stopped.stderr.indexOf('bank continue')).toBeLessThan(
      stopped.stderr.indexOf('to continue: recall-matrix run --resume'),
    );
    // What the matrix says of its budget is the recording's own; the run's is raised by its flag.
    await writeFile(matrix, small.replace('0.0001', '20'));
    expect(await cli([...continued, '--out', join(folder, 'runs')])).toMatchObject({ code: 0 });
    const resumed = await cli(['run', '--resume', stopped.result.path, '--budget', '20', '--json']);
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(JSON.parse(resumed.stdout)).toMatchObject({ status: 'complete', formation: [{ source: 'recorded' }] });
  });
});

describe('MX-4 RS-4 the key', () => {
  it('MX-4 comes from the .env beside the matrix, reaches the server, and stands in no file and no output', async () => {
    const folder = await temporaryFolder();
    server = await startPricedServer({ answer: simpleModels() });
    const home = join(folder, 'home');
    await mkdir(home);
    const fixtures = [await writeFixture(folder, 'small')];
    const matrix = await writeMatrix(home, { url: server.url, fixtures, arms: [BM25] });
    await writeFile(join(home, '.env'), `${KEY_VARIABLE}=${KEY}\n`);
    server.failNext({ kind: 'echo-authorization', status: 500 });
    const done = await run(folder, matrix, { env: {} });
    expect(done.code, done.stderr).toBe(0);
    for (const { headers } of server.requests) expect(headers.authorization).toBe(`Bearer ${KEY}`);

    const written = [...(await allFiles(join(folder, 'runs'))), ...(await allFiles(join(home, 'banks')))];
    expect(written.map((path) => basename(path))).toEqual(
      expect.arrayContaining(['run.json', 'ledger.jsonl', 'matrix.resolved.yaml', 'small.observations.jsonl']),
    );
    const holding = async (paths: readonly string[]) => {
      const texts = await Promise.all(paths.map(async (path) => [path, await readFile(path, 'utf8')] as const));
      return texts.flatMap(([path, text]) => (text.includes(KEY) ? [path] : []));
    };
    expect(await holding(written)).toEqual([]);
    expect(`${done.stdout}${done.stderr}`).not.toContain(KEY);
    // The search does find it where it stands.
    expect(await holding([...written, join(home, '.env')])).toEqual([join(home, '.env')]);
  });

  it('FB-7 RS-4 a model that repeats the key is refused before anything is kept of it: exit 5', async () => {
    const { folder, matrix, banks } = await prepare({ answer: simpleModels((statement) => `${statement} ${KEY}`) });
    const done = await run(folder, matrix);
    expect(done.code, done.stderr).toBe(5);
    expect(done.stderr).toContain('BANK_HOLDS_SECRET');
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.answered).toContain(KEY);
    const files = [...(await allFiles(banks)), ...(await allFiles(join(folder, 'runs')))];
    expect(files.length).toBeGreaterThan(3);
    for (const path of files) expect(await readFile(path, 'utf8'), path).not.toContain(KEY);
    expect(`${done.stdout}${done.stderr}`).not.toContain(KEY);
  });
});
