import { cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsOf, writeFixture } from '../../../test/support/cli-priced.js';
import { keptFolder } from '../../../test/support/kept-folder.js';
import type { OpenAiServer } from '../../../test/support/openai-server/index.js';
import {
  embeddingRequests,
  remoteOptions,
  runRemote,
  startRemoteServer,
  sumOfActual,
  VECTOR_ARMS,
  writeRemoteMatrix,
} from '../../../test/support/remote-run.js';
import { editFile } from '../../../test/support/small-matrix.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import type { RunOutcome } from '../run.js';
import type { ContinueOptions } from './continued-run.js';
import { extendRun } from './extend-run.js';
import { resumeRun } from './resume-run.js';

let server: OpenAiServer;
/** A run that recorded its vector banks, and was interrupted after two answers. */
let base: string;
let remove: () => Promise<void>;
let stopped: RunOutcome;

beforeAll(async () => {
  ({ path: base, remove } = await keptFolder());
  server = await startRemoteServer();
  await writeRemoteMatrix(base, server);
  stopped = await runRemote(base, stoppingAfter(2));
});
afterAll(async () => {
  await server.close();
  await remove();
});

/** Interrupts once so many questions are answered. */
function stoppingAfter(questions: number): Partial<ContinueOptions> {
  const stop = new AbortController();
  return {
    signal: stop.signal,
    progress: (event) => {
      if (event.kind === 'stage' && event.stage.endsWith('asking') && event.done === questions) stop.abort();
    },
  };
}

async function copy(): Promise<{ readonly folder: string; readonly run: string; readonly banks: string }> {
  const folder = await temporaryFolder();
  await cp(base, folder, { recursive: true });
  const [id] = await readdir(join(folder, 'runs'));
  const run = join(folder, 'runs', id as string);
  await editFile(
    join(run, 'run.json'),
    `"path": "${join(base, 'priced.yaml')}"`,
    `"path": "${join(folder, 'priced.yaml')}"`,
  );
  return { folder, run, banks: join(folder, 'banks') };
}

const continued = (folder: string, changes: Partial<ContinueOptions> = {}): ContinueOptions => ({
  ...remoteOptions(folder),
  run: 'latest',
  matrixPath: null,
  budget: null,
  retryFailed: false,
  ...changes,
});
const vectorBanksIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.vectors.bin')).sort();

describe('a run with vectors that goes on', () => {
  it('OB-5 VB-3 LG-12 resumed, it embeds nothing again, and says `recorded` of what its first session recorded', async () => {
    expect(stopped.result.status).toBe('incomplete');
    const { folder, run } = await copy();
    const before = server.requests.length;
    const { result } = await resumeRun(continued(folder));
    expect(result.status).toBe('complete');
    expect(embeddingRequests(server, before)).toEqual([]);
    expect(result.formation[0]?.vectors.map(({ source }) => source)).toEqual(['recorded', 'recorded']);
    expect(result.formation[0]?.embedding).toEqual(stopped.result.formation[0]?.embedding);
    const { spent_nano_usd, uncertain_nano_usd } = result.ledger;
    expect(sumOfActual(result)).toEqual({ paid: spent_nano_usd, uncertain: uncertain_nano_usd });
    const bound = JSON.parse(await readFile(join(run, 'run.json'), 'utf8')).vector_banks;
    expect(bound).toEqual(
      (result.formation[0]?.vectors ?? []).map(({ unit, vector_bank }) => ({
        fixture: 'small',
        replicate: 1,
        unit,
        action: 'record',
        bank: vector_bank,
      })),
    );
  });

  it('VB-1 OB-5 without a vector bank, or with another, it is refused by name (exit 5), before anything is sent', async () => {
    const { folder, banks } = await copy();
    const before = server.requests.length;
    const names = await vectorBanksIn(banks);
    const [, turns] = names as [string, string];
    const aside = join(folder, 'aside');
    await rename(join(banks, turns), aside);
    const gone = resumeRun(continued(folder));
    await expect(gone).rejects.toMatchObject({ code: 'RUN_VECTOR_BANK_CHANGED', exitCode: 5 });
    await expect(gone).rejects.toThrow(/the turns of small .* there is none/);
    expect(server.requests).toHaveLength(before);
    // Another run records the same texts again, and the provider gives other vectors.
    await runRemote(folder);
    const [digest] = (await vectorBanksIn(banks)).filter((name) => !names.includes(name));
    await expect(resumeRun(continued(folder, { run: stopped.result.run }))).rejects.toThrow(
      (digest as string).slice('small-turns-'.length, -'.vectors.bin'.length),
    );
  });

  it('OB-8 VB-1 extended, it is searched by the same vector banks; a new question is prepared once, and kept', async () => {
    const { folder, run, banks } = await copy();
    await resumeRun(continued(folder));
    await editFile(join(folder, 'priced.yaml'), 'arms:', 'load:\n  repeats: 2\narms:');
    const [beliefs] = await vectorBanksIn(banks);
    await rename(join(banks, beliefs as string), join(folder, 'aside'));
    const options = continued(folder, { matrixPath: join(folder, 'priced.yaml') });
    await expect(extendRun(options)).rejects.toMatchObject({ code: 'RUN_VECTOR_BANK_CHANGED', exitCode: 5 });
    await rename(join(folder, 'aside'), join(banks, beliefs as string));
    const before = server.requests.length;
    const { result } = await extendRun(options);
    expect(result.status).toBe('complete');
    expect(embeddingRequests(server, before)).toEqual([]);
    expect((await rowsOf(run)).every(({ lookup_miss }) => lookup_miss === null)).toBe(true);
  });
});

describe('vectors that are prepared while a run asks', () => {
  it('VB-3 SQ-2 SQ-8 OB-5 are kept in the run folder, with their whole group, and not embedded again when it is resumed', async () => {
    const folder = await temporaryFolder();
    const questions = ['Lisbon', 'Pepper', 'bakery', 'bicycle'].map((name) => ({
      question: `What was said of ${name}?`,
      expected: [name],
      evidence: ['S1:1'],
    }));
    const load = { questions: ['small/q1', 'small/q2'] };
    await writeRemoteMatrix(folder, server, { load }, questions);
    await runRemote(folder);
    await rm(join(folder, 'runs'), { recursive: true });
    await writeRemoteMatrix(folder, server, {}, questions);
    const before = server.requests.length;
    const arms = VECTOR_ARMS.length;
    await runRemote(folder, stoppingAfter(2 * arms + 3));
    const prepared = embeddingRequests(server, before);
    expect(prepared).toEqual([['["What was said of bakery?"]', '["What was said of bicycle?"]']]);
    const { result } = await resumeRun(continued(folder));
    expect(result.status).toBe('complete');
    expect(embeddingRequests(server, before)).toEqual(prepared);
    expect(result.formation[0]?.embedding.query).toMatchObject({ sends: 1, uncertain_nano_usd: 0 });
    expect(result.formation[0]?.vectors.map(({ source, queries }) => [source, queries])).toEqual([
      ['replayed', 2],
      ['replayed', 2],
    ]);
    // Those of both sessions have the vector that was kept: equal arms found equal items.
    expect((await rowsOf(result.path)).every(({ lookup_miss }) => lookup_miss === null)).toBe(true);
  });
});

describe('a recording of vectors that stops half-way', () => {
  it('RT-2 LG-2 LG-12 VB-2 each batch is a reservation; what was paid stays booked and kept, nothing is sealed, and the next run goes on at the cursor', async () => {
    const folder = await temporaryFolder();
    const turns = Array.from({ length: 50 }, (_, index) => `This is the remark of number ${index}.`);
    const sessions = ['Ada', 'Bo', 'Cy'].map((name) => turns.map((text) => [name, text] as const));
    const fixtures = [await writeFixture(folder, 'long', sessions)];
    const arms = [{ name: 'turns', retrieval: { strategy: 'semantic', unit: 'turns', limit: 3 } }];
    await writeRemoteMatrix(folder, server, { fixtures, arms, load: { questions: ['long/q1'] } });
    const before = server.requests.length;
    let batches = 0;
    const failing = await startRemoteServer([
      {
        when: (body) => Array.isArray((body as { input?: unknown }).input) && ++batches === 2,
        failure: { kind: 'cut-mid-body' },
      },
    ]);
    const path = join(folder, 'priced.yaml');
    const matrix = await readFile(path, 'utf8');
    await writeFile(path, matrix.replace(server.url, failing.url));
    const { result } = await runRemote(folder);
    await failing.close();
    expect(result.status).toBe('incomplete');
    expect(embeddingRequests(failing).map(({ length }) => length)).toEqual([128, 22]);
    const [{ vectors, embedding } = expect.fail()] = result.formation;
    expect(vectors).toMatchObject([{ unit: 'turns', source: 'failed', vector_bank: null }]);
    expect(embedding.index).toMatchObject({ sends: 2 });
    expect(embedding.index.actual_nano_usd).toBeGreaterThan(0);
    expect(embedding.index.uncertain_nano_usd).toBeGreaterThan(0);
    const { spent_nano_usd, uncertain_nano_usd } = result.ledger;
    expect(sumOfActual(result)).toEqual({ paid: spent_nano_usd, uncertain: uncertain_nano_usd });
    expect(await vectorBanksIn(join(folder, 'banks'))).toEqual([]);
    await writeFile(path, matrix);
    const again = await runRemote(folder);
    expect(again.result.formation[0]?.vectors).toMatchObject([{ source: 'recorded', items: 150, queries: 1 }]);
    expect(embeddingRequests(server, before).map(({ length }) => length)).toEqual([22, 1]);
  });
});
