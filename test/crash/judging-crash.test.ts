import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readJournal } from '../../src/core/journal.js';
import type { RunResult } from '../../src/experiment/experiment.js';
import { received, simpleModels } from '../support/chat-models.js';
import { command, documentOf, exits, startCli } from '../support/cli.js';
import {
  BM25,
  journalOf,
  KEY,
  KEY_VARIABLE,
  RECENCY,
  rowsOf,
  startPricedServer,
  writeFixture,
  writeMatrix,
} from '../support/cli-priced.js';
import type { OpenAiServer } from '../support/openai-server/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const ENV = { [KEY_VARIABLE]: KEY };
const REPEATS = 3;
const IN_FLIGHT = 2;
const QUESTIONS = 4;

let server: OpenAiServer;
afterEach(() => server.close());

/** What a judge was asked, and how often. */
function asked(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { raw } of received(server, 'judge')) counts.set(String(raw), (counts.get(String(raw)) ?? 0) + 1);
  return counts;
}

/** The verdicts that a run has on the disk, whatever a crash tore off behind them. */
async function durable(run: string): Promise<number> {
  const { entries } = await readJournal(join(run, 'judgements.jsonl'));
  const keys = entries.map((entry) => {
    const { request, repeat } = entry as { request: string; repeat: number };
    return `${request} ${repeat}`;
  });
  expect(new Set(keys).size).toBe(keys.length);
  return keys.length;
}

async function expectBillCovered(run: string): Promise<void> {
  const last = (await journalOf(run)).at(-1);
  const known = BigInt((last?.spent_nano_usd ?? 0) + (last?.held_nano_usd ?? 0));
  expect(server.bill().nano_usd).toBeLessThanOrEqual(known);
}

describe('a run that is killed while it judges', () => {
  it('OB-7 OB-5 RS-1 LG-6 twice, then resumed: no durable verdict is asked again, no answer is read again, the bill is covered', async () => {
    const folder = await temporaryFolder();
    server = await startPricedServer({ answer: simpleModels(), latency_ms: 15 });
    const matrix = await writeMatrix(folder, {
      url: server.url,
      fixtures: [await writeFixture(folder, 'small')],
      arms: [BM25, RECENCY],
      scoring: ['token-f1', 'judge:plain'],
      judges: { plain: { provider: 'remote', model: 'judge-1', max_output_tokens: 64, repeats: REPEATS } },
      concurrency: IN_FLIGHT,
    });
    const out = join(folder, 'runs');
    let args = ['run', matrix, '--out', out];
    let run = '';
    let known = 0;
    for (const verdicts of [4, 5]) {
      const before = received(server, 'judge').length;
      const running = startCli(args, { env: ENV });
      void (async () => {
        while (received(server, 'judge').length < before + verdicts) await server.received(server.requests.length + 1);
        running.child.kill('SIGKILL');
      })();
      expect(await running.ended).toMatchObject({ signal: 'SIGKILL' });
      run = join(out, (await readdir(out))[0] as string);
      const now = await durable(run);
      // What was in flight at the kill, answered or not, is all that may be missing.
      expect(now - known).toBeGreaterThanOrEqual(verdicts - IN_FLIGHT);
      known = now;
      await expectBillCovered(run);
      args = ['run', '--resume', run];
    }
    const sent = received(server, 'judge').length;
    const { status, ledger } = documentOf(await exits(0, command([...args, '--json'], { env: ENV }))) as RunResult;
    expect(status).toBe('complete');
    const items = new Set((await rowsOf(run)).map(({ judgements }) => judgements.plain?.request)).size;
    expect(await durable(run)).toBe(items * REPEATS);
    expect(received(server, 'judge').length - sent).toBe(items * REPEATS - known);
    expect(asked().size).toBe(items);
    expect(received(server, 'reader')).toHaveLength(QUESTIONS * 2);
    await expectBillCovered(run);
    expect(ledger.held_nano_usd).toBe(ledger.uncertain_nano_usd);
    const rows = await rowsOf(run);
    expect(rows.map(({ judgements }) => judgements.plain?.verdicts)).toEqual(rows.map(() => REPEATS));
    expect(await readFile(join(run, 'run.json'), 'utf8')).toContain('"status": "complete"');
  });
});
