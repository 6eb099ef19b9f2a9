import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { realModels, received, simpleModels } from '../support/chat-models.js';
import { PROJECT, SLOW_TEST_MS } from '../support/cli.js';
import {
  BM25,
  cli,
  type FinishedRun,
  type JournalLine,
  RECENCY,
  run,
  startPricedServer,
  writeFixture,
  writeMatrix,
} from '../support/cli-priced.js';
import type { OpenAiServer } from '../support/openai-server/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

vi.setConfig({ testTimeout: SLOW_TEST_MS });

const CONCURRENCY = 4;
const SESSIONS = 5;

/** Copies of a fixture its first sessions, and the questions that they answer; gives the ids of these, those without evidence not among them. */
async function firstSessions(fixture: string, path: string): Promise<{ path: string; answered: string[] }> {
  await mkdir(path, { recursive: true });
  await copyFile(join(fixture, 'fixture.yaml'), join(path, 'fixture.yaml'));
  const early = (reference: string): boolean => Number(/^S(\d+):/.exec(reference)?.[1] ?? SESSIONS + 1) <= SESSIONS;
  const kept = async <T>(name: string, isKept: (line: T) => boolean): Promise<T[]> => {
    const texts = (await readFile(join(fixture, name), 'utf8')).trimEnd().split('\n');
    const chosen = texts.filter((text) => isKept(JSON.parse(text)));
    await writeFile(join(path, name), chosen.map((text) => `${text}\n`).join(''));
    return chosen.map((text) => JSON.parse(text));
  };
  await kept<{ id: string; of?: string }>('history.jsonl', ({ id, of }) => early(of ?? id));
  const questions = await kept<{ id: string; evidence: string[] }>(
    'questions.jsonl',
    ({ evidence }) => evidence.length > 0 && evidence.every(early),
  );
  return { path, answered: questions.map(({ id }) => id) };
}

/** At every line of the journal, what is spent and held fits the limit (LG-3). */
function expectWithinLimit(journal: readonly JournalLine[]): void {
  expect(journal.length).toBeGreaterThan(1);
  for (const line of journal)
    expect(line.spent_nano_usd + line.held_nano_usd, JSON.stringify(line)).toBeLessThanOrEqual(line.limit_nano_usd);
}

/** The sum of a stage's reservations. */
function reservedBy(journal: readonly JournalLine[], stage: string): number {
  return journal.reduce((sum, line) => sum + (line.stage === stage ? (line.amount_nano_usd ?? 0) : 0), 0);
}

/** The provider's own bill is covered (CHECKS 3). */
function expectCovered(server: OpenAiServer, billedBefore: bigint, { result }: FinishedRun): void {
  const billed = server.bill().nano_usd - billedBefore;
  expect(billed).toBeLessThanOrEqual(BigInt(result.ledger.spent_nano_usd + result.ledger.held_nano_usd));
}

/**
 * The arms were met alike (MX-9). Tasks start in order, each question under all arms before the next; when the budget closes, at most
 * `CONCURRENCY` started ones have no answer. So two arms' counts differ by the question that was cut in two, and by those.
 */
function expectMetAlike({ result, rows }: FinishedRun): void {
  const counts = result.arms.map(({ answered }) => answered);
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1 + CONCURRENCY);
  for (const fixture of new Set(rows.map((row) => row.fixture))) {
    const own = rows.filter((row) => row.fixture === fixture);
    const reached = Math.max(
      -1,
      ...own.filter(({ outcome }) => outcome.kind === 'answered').map(({ position }) => position),
    );
    const missed = own.filter(({ position, outcome }) => position < reached && outcome.kind !== 'answered');
    expect(missed.length).toBeLessThanOrEqual(CONCURRENCY);
  }
}

describe("the quickstart's shape on a priced server", () => {
  const arms = [
    { name: 'none', retrieval: { strategy: 'none' } },
    { name: 'full-history', retrieval: { strategy: 'full-history', unit: 'turns' } },
    { name: 'evidence', retrieval: { strategy: 'evidence', unit: 'turns' } },
    ...['recency', 'full-text', 'bm25', 'semantic', 'hybrid'].map((strategy) => ({
      name: strategy,
      retrieval: { strategy, limit: 10 },
    })),
  ];
  // Of both fixtures the first sessions, and every other question that they answer: the whole takes a minute.
  const IDS = ['harbour-clinic', 'allotment-band'];
  let server: OpenAiServer;
  beforeAll(async () => {
    server = await startPricedServer({ answer: realModels() });
  });
  afterAll(() => server.close());

  it('MX-9 LG-3 OB-4 OB-5 a budget for formation and some questions stops all arms alike, exit 4; more budget replays and completes', async () => {
    const folder = await temporaryFolder();
    const fixtures: string[] = [];
    const questions: string[] = [];
    for (const id of IDS) {
      const { path, answered } = await firstSessions(join(PROJECT, 'fixtures', id), join(folder, 'fixtures', id));
      fixtures.push(path);
      questions.push(...answered.filter((_, index) => index % 2 === 0));
    }
    const parts = { url: server.url, fixtures, arms, concurrency: CONCURRENCY, load: { questions } };
    const tight = await writeMatrix(folder, { ...parts, budget_usd: '0.03', name: 'tight' });
    const plan = JSON.parse((await cli(['plan', tight, '--json'])).stdout);
    expect(server.requests).toEqual([]);
    const stopped = await run(folder, tight);
    expect(stopped.code, stopped.stderr).toBe(4);
    expect(stopped.result.status).toBe('incomplete');

    expect(stopped.result.formation.map(({ fixture, source }) => `${fixture} ${source}`)).toEqual([
      'allotment-band recorded',
      'harbour-clinic recorded',
    ]);
    expectWithinLimit(stopped.journal);
    expectCovered(server, 0n, stopped);
    expectMetAlike(stopped);
    const asked = received(server, 'reader').length;
    const kinds = (kind: string) => stopped.rows.filter(({ outcome }) => outcome.kind === kind);
    // Finished rows stay; one refusal for good closes the gate, and nobody is asked after it.
    expect(kinds('answered')).toHaveLength(asked);
    expect(asked).toBeGreaterThan(arms.length);
    expect(kinds('refused')).toHaveLength(1);
    expect(kinds('skipped').length).toBeGreaterThan(arms.length);
    for (const row of [...kinds('refused'), ...kinds('skipped')])
      expect(row).toMatchObject({
        answer: null,
        scores: { 'token-f1': null },
        outcome: { cause: { stage: 'budget', own_making: false } },
      });
    for (const arm of stopped.result.arms) {
      expect(arm).toMatchObject({ status: 'incomplete', failed: 0, lost: arm.questions - arm.answered });
      expect(arm.answered).toBeGreaterThan(0);
      expect(arm.score_details['exact-match']?.n).toBeLessThanOrEqual(arm.answered);
    }
    // MX-6: the plan's worst case bounds what was reserved, and the whole of it does not fit.
    const reserved = (stage: string) => reservedBy(stopped.journal, stage);
    expect(plan).toMatchObject({ admitted: 'not-the-worst-case' });
    expect(plan.formation.worst_nano_usd).toBeGreaterThanOrEqual(reserved('formation'));
    expect(plan.reader.worst_nano_usd).toBeGreaterThanOrEqual(reserved('reader'));
    const formed = received(server, 'formation').length;
    const billed = server.bill().nano_usd;

    const ample = await writeMatrix(folder, { ...parts, budget_usd: '5', name: 'ample' });
    const whole = await run(folder, ample);
    expect(whole.code, whole.stderr).toBe(0);
    expect(whole.result.status).toBe('complete');
    // The banks that the stopped run recorded are replayed: the server sees no formation request.
    expect(whole.result.formation).toEqual(
      stopped.result.formation.map((one) => ({
        ...one,
        source: 'replayed',
        actual_nano_usd: 0,
        vectors: one.vectors.map((unit) => ({ ...unit, source: 'replayed' })),
      })),
    );
    expect(received(server, 'formation')).toHaveLength(formed);
    expectWithinLimit(whole.journal);
    expectCovered(server, billed, whole);
    for (const arm of whole.result.arms)
      expect(arm).toMatchObject({ answered: arm.questions, lost: 0, parity: 'equal' });
  });
});

describe('small matrices on a priced server', () => {
  let server: OpenAiServer;
  beforeAll(async () => {
    server = await startPricedServer({ answer: simpleModels() });
  });
  afterAll(() => server.close());

  it('MX-9 once the budget has stopped the run, the next history is not formed: no journal is left half-way', async () => {
    const folder = await temporaryFolder();
    const fixtures = [await writeFixture(folder, 'one'), await writeFixture(folder, 'two')];
    const parts = {
      url: server.url,
      fixtures,
      arms: [BM25, RECENCY],
      profile: { max_output_tokens: 300 },
      reader: { max_output_tokens: 2000 },
    };
    // A formation call reserves less than a question: what stops the readers would still let the second history begin.
    const stopped = await run(folder, await writeMatrix(folder, { ...parts, budget_usd: '0.0046', name: 'tight' }));
    expect(stopped.code, stopped.stderr).toBe(4);
    expect(stopped.result.formation.map(({ fixture, source }) => `${fixture} ${source}`)).toEqual([
      'one recorded',
      'two failed',
    ]);
    expect(stopped.result.problems.map(({ code, fixture }) => `${fixture} ${code}`)).toContain('two BUDGET_STOP');
    expect(received(server, 'formation')).toHaveLength(2);

    const whole = await run(folder, await writeMatrix(folder, { ...parts, name: 'ample' }));
    expect(whole.code, whole.stderr).toBe(0);
    expect(whole.result.formation.map(({ fixture, source }) => `${fixture} ${source}`)).toEqual([
      'one replayed',
      'two recorded',
    ]);
    expect(received(server, 'formation')).toHaveLength(4);
  });

  it('MX-6 plan needs no key and sends nothing; its worst case is at least what the run then costs', async () => {
    const folder = await temporaryFolder();
    const before = server.requests.length;
    const matrix = await writeMatrix(folder, {
      url: server.url,
      fixtures: [await writeFixture(folder, 'planned')],
      arms: [BM25, RECENCY],
    });
    const planned = await cli(['plan', matrix, '--json'], { env: {} });
    expect(planned.code, planned.stderr).toBe(0);
    expect(server.requests).toHaveLength(before);
    const plan = JSON.parse(planned.stdout);
    expect(plan).toMatchObject({ formation: { sends: 2 }, reader: { sends: 8 }, admitted: 'yes' });

    const unkeyed = await cli(['run', matrix, '--out', join(folder, 'runs')], { env: {} });
    expect(unkeyed).toMatchObject({ code: 2, stderr: expect.stringContaining('RM_E2E_KEY') });
    expect(server.requests).toHaveLength(before);

    const done = await run(folder, matrix);
    expect(done.code, done.stderr).toBe(0);
    const reserved = done.journal.reduce(
      (sum, { kind, amount_nano_usd }) => sum + (kind === 'reserve' ? (amount_nano_usd ?? 0) : 0),
      0,
    );
    expect(plan.total.worst_nano_usd).toBeGreaterThanOrEqual(reserved);
    expect(reserved).toBeGreaterThan(done.result.ledger.spent_nano_usd);
    expect(plan.formation.worst_nano_usd).toBeGreaterThan(done.result.formation[0]?.actual_nano_usd as number);
    const arms = done.result.arms.map(({ arm, actual_nano_usd }) => [arm, actual_nano_usd] as const);
    for (const [arm, actual] of arms)
      expect(plan.arms.find((one: { arm: string }) => one.arm === arm).worst_nano_usd).toBeGreaterThanOrEqual(actual);

    // Once the bank is there, formation is a replay.
    const again = JSON.parse((await cli(['plan', matrix, '--json'], { env: {} })).stdout);
    expect(again).toMatchObject({ formation: { sends: 0, worst_nano_usd: 0 }, blocks: [{ bank: 'replay' }] });
  });
});
