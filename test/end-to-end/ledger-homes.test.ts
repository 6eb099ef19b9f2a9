import { appendFile, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { systemClock } from '../../src/core/clock.js';
import { CRASH_VARIABLE } from '../../src/core/crash-points.js';
import type { RunResult } from '../../src/experiment/experiment.js';
import { reachServer } from '../../src/postgres/open.js';
import { simpleModels } from '../support/chat-models.js';
import { type CliResult, cli, command, documentOf, exits, SLOW_TEST_MS, startCli } from '../support/cli.js';
import {
  allFiles,
  BM25,
  type JournalLine,
  journalOf,
  KEY,
  KEY_VARIABLE,
  RECENCY,
  startPricedServer,
  writeFixture,
  writeMatrix,
} from '../support/cli-priced.js';
import { keptFolder } from '../support/kept-folder.js';
import type { OpenAiServer } from '../support/openai-server/index.js';

vi.setConfig({ testTimeout: SLOW_TEST_MS });

const PASSWORD = 'nowhere-in-a-file-4711';
const ENV = { [KEY_VARIABLE]: KEY };
/** The user's own cluster, in a folder of the test run. */
const LOCAL = { env: ENV, database: null };

let folder: string;
let remove: () => Promise<void>;
let server: OpenAiServer;
let matrix: string;
beforeAll(async () => {
  ({ path: folder, remove } = await keptFolder());
  server = await startPricedServer({ answer: simpleModels() });
  matrix = await writeMatrix(folder, {
    url: server.url,
    fixtures: [await writeFixture(folder, 'small')],
    arms: [BM25, RECENCY],
  });
  await appendFile(matrix, 'ledger: { home: postgres }\n');
});
afterAll(async () => {
  await server.close();
  await remove();
});

interface LedgerDocument {
  readonly live: boolean;
  readonly lines: number;
  readonly totals: {
    readonly spent_nano_usd: number;
    readonly held_nano_usd: number;
    readonly uncertain_nano_usd: number;
  };
}

const ledgerOf = (result: CliResult): LedgerDocument => documentOf(result) as LedgerDocument;
const billed = (): bigint => server.bill().nano_usd;

function expectWithinLimit(journal: readonly JournalLine[]): void {
  expect(journal.length).toBeGreaterThan(5);
  for (const line of journal) expect(line.spent_nano_usd + line.held_nano_usd).toBeLessThanOrEqual(line.limit_nano_usd);
}

describe('LG-11 a ledger in the control database', () => {
  it('LG-6 LG-11 PG-5 outlasts a killed run, whose resume holds what was open; the journal is written into the folder', async () => {
    const out = join(folder, 'killed');
    const env = { ...ENV, [CRASH_VARIABLE]: 'send-started:6' };
    const killed = await startCli(['run', matrix, '--out', out], { ...LOCAL, env }).ended;
    expect(killed).toMatchObject({ signal: 'SIGKILL' });
    const [name] = await readdir(out);
    const run = join(out, name as string);
    await expect(stat(join(run, 'ledger.jsonl'))).rejects.toMatchObject({ code: 'ENOENT' });
    const after = ledgerOf(await exits(0, command(['ledger', run, '--json'], LOCAL)));
    expect(after.live).toBe(false);
    expect(after.totals.uncertain_nano_usd).toBeGreaterThan(0);
    expect(billed()).toBeLessThanOrEqual(BigInt(after.totals.spent_nano_usd + after.totals.held_nano_usd));

    const lower = await exits(2, command(['run', '--resume', run, '--budget', '1'], LOCAL));
    expect(lower.stderr).toContain('a limit is never lowered');
    const done = await exits(0, command(['run', '--resume', run, '--budget', '21', '--json'], LOCAL));
    const { ledger } = documentOf(done) as RunResult;
    expect(ledger).toMatchObject({ limit_nano_usd: 21_000_000_000 });
    expect(ledger.uncertain_nano_usd).toBe(after.totals.uncertain_nano_usd);
    expect(billed()).toBeLessThanOrEqual(BigInt(ledger.spent_nano_usd + ledger.held_nano_usd));

    const journal = await journalOf(run);
    expectWithinLimit(journal);
    expect(journal.filter(({ kind }) => kind === 'amendment')).toHaveLength(1);
    const shown = ledgerOf(await exits(0, command(['ledger', run, '--json'], LOCAL)));
    expect(shown.lines).toBe(journal.length - 1);
    expect(shown.totals.spent_nano_usd).toBe(ledger.spent_nano_usd);
    const manifest = JSON.parse(await readFile(join(run, 'run.json'), 'utf8')) as Record<string, unknown>;
    expect(manifest.ledger_home).toEqual({ home: 'postgres', url_env: null, matrix });
  });

  it('LG-11 MX-4 of a database named by a variable, whose value is nowhere in the folder; refused where it is not set or not durable', async () => {
    const out = join(folder, 'named');
    const args = ['run', matrix, '--out', out, '--ledger-url-env', 'RM_LEDGER_URL'];
    expect((await exits(2, command(args, { env: ENV }))).stderr).toMatch(/ENV_MISSING: .*RM_LEDGER_URL/);
    const before = server.requests.length;
    // The test run's own server syncs nothing.
    const env = { ...ENV, RM_LEDGER_URL: inject('postgresUrl') };
    const refused = await exits(8, command(args, { env }));
    expect(refused.stderr).toMatch(/LEDGER_NOT_DURABLE: .*fsync/);
    expect(server.requests.length).toBe(before);

    // The cluster syncs since the run before had its ledger there; this test keeps it running.
    const signal = new AbortController().signal;
    const cluster = await reachServer({ databaseUrl: null, clock: systemClock, signal });
    try {
      const { host, port } = cluster.address.config;
      const url = `postgres://postgres:${PASSWORD}@/postgres?host=${host}&port=${port}`;
      const named = { env: { ...ENV, RM_LEDGER_URL: url } };
      const { path, ledger } = documentOf(await exits(0, command([...args, '--json'], named))) as RunResult;
      expectWithinLimit(await journalOf(path));
      const shown = ledgerOf(await exits(0, command(['ledger', path, '--json'], named)));
      expect(shown.totals.spent_nano_usd).toBe(ledger.spent_nano_usd);
      expect((await exits(2, command(['ledger', path]))).stderr).toMatch(/ENV_MISSING: .*RM_LEDGER_URL/);
      const texts = await Promise.all((await allFiles(path)).map((file) => readFile(file, 'utf8')));
      expect(texts.join('')).toContain('RM_LEDGER_URL');
      expect(texts.join('')).not.toContain(PASSWORD);
    } finally {
      await cluster.close();
    }
  });

  it('LG-11 PG-5 on a server that goes with the run there is no place for it', async () => {
    const env = { ...ENV, RECALL_MATRIX_CLUSTER_FOLDER: 'none' };
    const refused = await exits(8, cli(['run', matrix, '--out', join(folder, 'own')], { env, database: null }));
    expect(refused.stderr).toMatch(/POSTGRES_NO_CONTROL_DATABASE/);
  });
});
