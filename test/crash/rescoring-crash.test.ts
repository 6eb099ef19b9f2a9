import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { CRASH_VARIABLE } from '../../src/core/crash-points.js';
import type { RunResult } from '../../src/experiment/experiment.js';
import { openRunRecord } from '../../src/experiment/reading/open-run-record.js';
import type { RescoreResult } from '../../src/experiment/rescore-document.js';
import { received, simpleModels } from '../support/chat-models.js';
import { command, documentOf, exits, startCli } from '../support/cli.js';
import {
  BM25,
  journalOf,
  KEY,
  KEY_VARIABLE,
  RECENCY,
  startPricedServer,
  writeFixture,
  writeMatrix,
} from '../support/cli-priced.js';
import type { OpenAiServer } from '../support/openai-server/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const ENV = { [KEY_VARIABLE]: KEY };

let server: OpenAiServer;
afterEach(() => server.close());

describe('a rescoring that is killed', () => {
  it('RP-6 LG-6 RS-1 leaves the run as it was, asks for no durable verdict again, and is whole when it is done again', async () => {
    const folder = await temporaryFolder();
    server = await startPricedServer({ answer: simpleModels(), latency_ms: 15 });
    const parts = {
      url: server.url,
      fixtures: [await writeFixture(folder, 'small')],
      arms: [BM25, RECENCY],
      scoring: ['token-f1'],
      concurrency: 1,
    };
    const run = documentOf(
      await exits(
        0,
        command(['run', await writeMatrix(folder, parts), '--json', '--out', join(folder, 'runs')], { env: ENV }),
      ),
    ) as RunResult;
    const judged = await writeMatrix(folder, {
      ...parts,
      scoring: ['token-f1', 'judge:plain'],
      judges: { plain: { provider: 'remote', model: 'judge-1', max_output_tokens: 64, repeats: 2 } },
    });
    const args = ['rescore', run.path, judged, '--json'];
    const whole = 'as it was';
    const expectAsBefore = async (): Promise<void> => {
      const record = await openRunRecord(run.path);
      expect({ whole, result: record.result, rows: record.manifest.rows_folder }).toEqual({
        whole,
        result: run,
        rows: null,
      });
      const last = (await journalOf(run.path)).at(-1);
      expect(server.bill().nano_usd).toBeLessThanOrEqual(
        BigInt((last?.spent_nano_usd ?? 0) + (last?.held_nano_usd ?? 0)),
      );
    };

    const first = startCli(args, { env: ENV });
    while (received(server, 'judge').length < 4) await server.received(server.requests.length + 1);
    first.child.kill('SIGKILL');
    expect(await first.ended).toMatchObject({ signal: 'SIGKILL' });
    await expectAsBefore();
    const durable = (await readFile(join(run.path, 'judgements.jsonl'), 'utf8')).split('\n').filter(Boolean).length;
    expect(durable).toBeGreaterThanOrEqual(3);

    // Every verdict is there, and one arm's rows: nothing that counts is changed yet.
    const asked = received(server, 'judge').length;
    const second = await startCli(args, { env: { ...ENV, [CRASH_VARIABLE]: 'cell-finalised:1' } }).ended;
    expect(second).toMatchObject({ signal: 'SIGKILL', stderr: expect.stringContaining('REACHED cell-finalised') });
    await expectAsBefore();
    const inAll = received(server, 'judge').length;
    expect(inAll - asked).toBeGreaterThan(0);

    const done = documentOf(await exits(0, command(args, { env: ENV }))) as RescoreResult;
    expect(done).toMatchObject({ rows_folder: 'rescored-1', verdicts_asked: 0, result: { status: 'complete' } });
    expect(received(server, 'judge').length).toBe(inAll);
    const items = done.result.judging?.judges[0]?.items ?? 0;
    expect(inAll - items * 2).toBeLessThanOrEqual(1);
    expect(received(server, 'reader')).toHaveLength(8);
    const record = await openRunRecord(run.path);
    expect(record.result).toEqual(done.result);
    expect(record.manifest.sessions.map(({ kind, finished_at }) => [kind, finished_at !== null])).toEqual([
      ['run', true],
      ['rescore', false],
      ['rescore', false],
      ['rescore', true],
    ]);
    expect(done.result.ledger.held_nano_usd).toBe(done.result.ledger.uncertain_nano_usd);
  });
});
