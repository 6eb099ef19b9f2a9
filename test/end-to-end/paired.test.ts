import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { received, simpleModels, userMessage } from '../support/chat-models.js';
import { SLOW_TEST_MS } from '../support/cli.js';
import {
  BM25,
  cli,
  formationOf,
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

async function prepare(options: Parameters<typeof startPricedServer>[0] = {}) {
  const folder = await temporaryFolder();
  server = await startPricedServer({ answer: simpleModels(), ...options });
  const fixture = await writeFixture(folder, 'small');
  return { folder, parts: { url: server.url, fixtures: [fixture], arms: [BM25, RECENCY] } };
}

/** Another answer each time it is asked. */
const moody: OpenAiServerOptions['answer'] = simpleModels((statement, index) => `${statement} (asked ${index})`);

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const digests = (requests: ReturnType<typeof received>): string[] =>
  requests.map(({ raw }) => `sha256:${createHash('sha256').update(raw).digest('hex')}`).sort();

describe('two arms of a paired matrix', () => {
  it('FB-1 FB-17 LG-12 OB-2 form once through the server, and each sends its own reader calls alone', async () => {
    const { folder, parts } = await prepare();
    const done = await run(folder, await writeMatrix(folder, parts));
    expect(done, done.stderr).toMatchObject({ code: 0, result: { status: 'complete' } });

    // Two sessions, two calls: neither doubled by the second arm nor by the cells' own formations.
    const [first, second, ...more] = received(server, 'formation');
    expect(more).toEqual([]);
    expect(userMessage(first?.body).people).toEqual([]);
    // The normal formation, with People: the second request shows whom the first one named.
    expect(userMessage(second?.body).people).toEqual([
      expect.objectContaining({ name: 'Ada' }),
      expect.objectContaining({ name: 'Bo' }),
    ]);
    expect(received(server, 'reader')).toHaveLength(2 * 4);

    const reserved = done.journal.filter(({ kind }) => kind === 'reserve');
    expect(reserved.map(({ body }) => body).sort()).toEqual(digests([...server.requests]));
    expect(reserved.map(({ arm, stage, unit }) => `${arm} ${stage} ${unit}`).sort()).toEqual(
      [
        ...['bm25', 'recency'].flatMap((arm) => [1, 2, 3, 4].map((n) => `${arm} reader small/q${n}`)),
        'null formation session_1',
        'null formation session_2',
      ].sort(),
    );
    for (const arm of done.result.arms) expect(arm).toMatchObject({ parity: 'equal', replayed_calls: 2, answered: 4 });
    for (const row of done.rows)
      expect(row).toMatchObject({ parity: 'equal', replayed_calls: 2, actual: { calls: 1 } });

    const { formation, arms, ledger } = done.result;
    expect(ledger.spent_nano_usd).toBe(sum([...formation, ...arms].map((part) => part.actual_nano_usd)));
    expect(ledger).toMatchObject({ held_nano_usd: 0, sends: 10 });
    expect(BigInt(ledger.spent_nano_usd)).toBe(server.bill().nano_usd);
    const bankCost = formation[0]?.attributed_nano_usd as number;
    expect(bankCost).toBeGreaterThan(0);
    for (const arm of ['bm25', 'recency']) {
      const own = done.rows.filter((row) => row.arm === arm);
      expect(sum(own.map((row) => row.attributed.formation.nano_usd as number))).toBe(bankCost);
      expect(sum(own.map((row) => row.actual.nano_usd))).toBe(arms.find((one) => one.arm === arm)?.actual_nano_usd);
    }
  });

  it('FB-4 FB-6 replay one bank of a provider that never answers alike: their states are equal', async () => {
    const { folder, parts } = await prepare({ answer: moody });
    const matrix = await writeMatrix(folder, parts);
    const recorded = await run(folder, matrix);
    expect(recorded.code, recorded.stderr).toBe(0);
    const states = new Set(recorded.rows.map(({ state }) => state));
    expect([...states]).toEqual([formationOf(recorded.result, 'small').state]);
    expect(formationOf(recorded.result, 'small')).toMatchObject({ source: 'recorded', live_states: null });

    const replayed = await run(folder, matrix);
    expect(formationOf(replayed.result, 'small')).toMatchObject({ source: 'replayed', actual_nano_usd: 0 });
    expect(received(server, 'formation')).toHaveLength(2);
    expect(new Set(replayed.rows.map(({ state }) => state))).toEqual(states);
    expect(replayed.result.ledger.sends).toBe(8);
  });

  it('FB-16 form their own beliefs without a bank: unpaired everywhere, and the differences reported', async () => {
    const { folder, parts } = await prepare({ answer: moody });
    const matrix = await writeMatrix(folder, { ...parts, bank: 'off' });
    const live = await run(folder, matrix);
    expect(live.code, live.stderr).toBe(0);
    expect(received(server, 'formation')).toHaveLength(4);
    expect(new Set(live.rows.map(({ state }) => state)).size).toBe(2);
    for (const part of [...live.rows, ...live.result.arms])
      expect(part).toMatchObject({ parity: 'unpaired', replayed_calls: 0 });
    for (const row of live.rows) expect(row.bank).toBeNull();

    const formed = formationOf(live.result, 'small');
    expect(formed).toMatchObject({ source: 'live', bank: null, state: null, calls: 4 });
    const [one, other] = formed.live_states ?? [];
    expect(one).toMatchObject({ arm: 'bm25', calls: 2, differs_from: null, difference: null });
    expect(other).toMatchObject({
      arm: 'recency',
      calls: 2,
      differs_from: 'bm25',
      difference: { table: 'belief', field: 'statement' },
    });
    // The same words, as the two answers had them.
    expect(String(other?.difference?.expected)).toMatch(/^Ada said: .+\(asked \d\)$/);
    expect(String(other?.difference?.found)).toMatch(/^Ada said: .+\(asked \d\)$/);
    expect(other?.difference?.found).not.toBe(other?.difference?.expected);
    expect(
      sum([...live.result.formation, ...live.result.arms].map((part) => part.actual_nano_usd)) -
        sum((formed.live_states ?? []).map((state) => state.actual_nano_usd)),
    ).toBe(live.result.ledger.spent_nano_usd);
    expect(formed.actual_nano_usd).toBe(sum((formed.live_states ?? []).map((state) => state.actual_nano_usd)));

    const table = await cli(['run', '--resume', live.result.path, '--details']);
    expect(table.stdout).toContain('UNPAIRED');
    expect(table.stdout.match(/^(?:bm25|recency) .*unpaired/gm)).toHaveLength(2);
    const unbroken = table.stdout.replaceAll(/\s+/g, ' ');
    expect(unbroken).toMatch(/small: recency formed another state than bm25: .*belief .*statement/);
    expect(unbroken).toMatch(/Not to be concluded: .*anything of bm25, recency \(unpaired\)/);
    const manifest = JSON.parse(await readFile(join(live.result.path, 'run.json'), 'utf8')) as typeof live.result;
    expect(manifest.formation).toEqual(live.result.formation);
  });

  it('FB-16 compares live states and finds them equal where the answers are', async () => {
    const { folder, parts } = await prepare();
    const live = await run(folder, await writeMatrix(folder, { ...parts, bank: 'off' }));
    const formed = formationOf(live.result, 'small');
    expect(formed.live_states?.map(({ differs_from }) => differs_from)).toEqual([null, null]);
    expect(formed.state).toBe(live.rows[0]?.state);
    expect(live.result.arms.map(({ parity }) => parity)).toEqual(['unpaired', 'unpaired']);
  });
});
