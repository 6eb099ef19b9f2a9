import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Observation } from '../../src/experiment/experiment.js';
import { received, simpleModels, stageOf, userMessage } from '../support/chat-models.js';
import { SLOW_TEST_MS } from '../support/cli.js';
import {
  BM25,
  cli,
  KEY,
  PRICES,
  RECENCY,
  run,
  startPricedServer,
  writeFixture,
  writeMatrix,
} from '../support/cli-priced.js';
import type { FailureRule, OpenAiServer, ScriptedFailure } from '../support/openai-server/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

vi.setConfig({ testTimeout: SLOW_TEST_MS });

/* PR-3, OB-4: a provider that fails while questions are read. Each question meets a failure of its own; bm25 alone meets them. */

interface Case {
  readonly name: string;
  readonly failure: ScriptedFailure;
  readonly code: string;
  readonly own: boolean;
  readonly booked: 'settle' | 'release' | 'hold';
}

const CASES: readonly Case[] = [
  {
    name: 'prose',
    failure: { kind: 'wrong-json' },
    code: 'READER_UNSUPPORTED_COMPLETION',
    own: true,
    booked: 'settle',
  },
  {
    name: 'schema',
    failure: { kind: 'content', content: '{"answer":1,"abstains":false}' },
    code: 'READER_UNSUPPORTED_COMPLETION',
    own: true,
    booked: 'settle',
  },
  {
    name: 'truncation',
    failure: { kind: 'truncated' },
    code: 'READER_UNSUPPORTED_COMPLETION',
    own: true,
    booked: 'settle',
  },
  { name: 'refusal', failure: { kind: 'refusal' }, code: 'READER_UNSUPPORTED_COMPLETION', own: true, booked: 'settle' },
  {
    name: 'tools',
    failure: { kind: 'tool-calls' },
    code: 'READER_UNSUPPORTED_COMPLETION',
    own: true,
    booked: 'settle',
  },
  {
    name: 'blank',
    failure: { kind: 'content', content: '{"answer":" ","abstains":false}' },
    code: 'READER_EMPTY_ANSWER',
    own: true,
    booked: 'settle',
  },
  {
    name: '400',
    failure: { kind: 'status', status: 400 },
    code: 'PROVIDER_INVALID_REQUEST',
    own: false,
    booked: 'release',
  },
  {
    name: '403',
    failure: { kind: 'echo-authorization', status: 403 },
    code: 'PROVIDER_AUTHENTICATION',
    own: false,
    booked: 'release',
  },
  {
    name: '429',
    failure: { kind: 'status', status: 429, headers: { 'retry-after': '7' } },
    code: 'PROVIDER_RATE_LIMITED',
    own: false,
    booked: 'release',
  },
  { name: '500', failure: { kind: 'status', status: 500 }, code: 'PROVIDER_SERVER_ERROR', own: false, booked: 'hold' },
  { name: 'cut', failure: { kind: 'cut-mid-body' }, code: 'PROVIDER_CUT_CONNECTION', own: false, booked: 'hold' },
  {
    name: 'silence',
    failure: { kind: 'cut-before-headers' },
    code: 'PROVIDER_CUT_CONNECTION',
    own: false,
    booked: 'hold',
  },
  { name: 'endless', failure: { kind: 'never-ends' }, code: 'PROVIDER_TIMEOUT', own: false, booked: 'hold' },
  {
    name: 'nan',
    failure: { kind: 'nan-usage' },
    code: 'PROVIDER_MALFORMED_RESPONSE',
    own: false,
    booked: 'hold',
  },
];
/** Questions that are answered all the same. */
const ANSWERED: readonly { readonly name: string; readonly failure: ScriptedFailure | null }[] = [
  { name: 'unbilled', failure: { kind: 'missing-usage' } },
  {
    name: 'impossible',
    failure: { kind: 'usage', usage: { prompt_tokens: -1, completion_tokens: 3, total_tokens: 2 } },
  },
  { name: 'zero', failure: { kind: 'zero-usage' } },
  { name: 'renamed', failure: { kind: 'changed-model', model: 'reader-1-next-week' } },
  { name: 'well', failure: null },
];

let server: OpenAiServer;
afterEach(() => server.close());

/** A question that names its failure, about a turn that every arm finds. */
const questionOf = (name: string) => ({
  question: `What is the dog of Bo called in the case of ${name}?`,
  expected: ['My dog is called Pepper.'],
  evidence: ['S1:2'],
});

/** Failures strike the first request with the question: with a concurrency of 1, that of whichever arm is asked first. */
function rulesFor(
  cases: readonly { readonly name: string; readonly failure: ScriptedFailure | null }[],
): FailureRule[] {
  return cases.flatMap(({ name, failure }) => {
    const seen = { count: 0 };
    const strikes = (body: unknown): boolean => {
      if (stageOf(body) !== 'reader' || userMessage(body).question !== questionOf(name).question) return false;
      seen.count += 1;
      return seen.count === 1;
    };
    return failure === null ? [] : [{ when: strikes, failure }];
  });
}

describe('a provider that fails while questions are read', () => {
  it('PR-3 OB-4 LG-4 LG-5 LG-6 PR-4 each failure is a row outcome with its cause, its cost settled; the run goes on and exits 7', async () => {
    const folder = await temporaryFolder();
    const cases = [...CASES, ...ANSWERED];
    server = await startPricedServer({ answer: simpleModels(), failures: rulesFor(cases) });
    const fixture = await writeFixture(
      folder,
      'small',
      undefined,
      cases.map(({ name }) => questionOf(name)),
    );
    const matrix = await writeMatrix(folder, {
      url: server.url,
      fixtures: [fixture],
      arms: [BM25, RECENCY],
      provider: { timeout_ms: 4000 },
      concurrency: 1,
      scoring: ['token-f1', 'evidence-recall@10'],
    });
    const done = await run(folder, matrix);
    expect(done.code, done.stderr).toBe(7);
    expect(done.result.status).toBe('incomplete');

    // All were asked, once each: reading never asks again by itself.
    expect(received(server, 'reader')).toHaveLength(2 * cases.length);
    expect(done.rows).toHaveLength(2 * cases.length);
    const struck: Observation[] = [];
    for (const [index, { name, code, own, booked }] of CASES.entries()) {
      const both = done.rows.filter(({ position }) => position === index);
      const [row, ...more] = both.filter(({ outcome }) => outcome.kind === 'failed');
      expect(more, name).toEqual([]);
      expect(row?.outcome, name).toMatchObject({ kind: 'failed', cause: { stage: 'reader', code, own_making: own } });
      expect(row, name).toMatchObject({
        answer: null,
        abstained: null,
        timings_ms: null,
        scores: { 'token-f1': null, 'evidence-recall@10': null },
      });
      struck.push(row as Observation);
      const line = resolutionOf(done.journal, row as Observation);
      expect(line, name).toMatchObject({ kind: booked });
      const reserved = done.journal.find(({ kind, id }) => kind === 'reserve' && id === line?.id)?.amount_nano_usd;
      expect(row?.actual, name).toMatchObject({
        nano_usd: booked === 'settle' ? line?.cost_nano_usd : 0,
        uncertain_nano_usd: booked === 'hold' ? reserved : 0,
      });
      if (booked === 'settle') expect(row?.actual.nano_usd).toBeGreaterThan(0);
    }
    expect(struck.find((row) => row.outcome.cause?.code === 'PROVIDER_RATE_LIMITED')?.outcome.cause?.message).toContain(
      '429',
    );

    // Missing or impossible usage is no failure: the answer counts, and its whole reservation stays held.
    const answeredRows = ANSWERED.map(({ name }, index) => ({
      name,
      both: done.rows.filter(({ position }) => position === CASES.length + index),
    }));
    for (const { name, both } of answeredRows)
      for (const row of both)
        expect(row, name).toMatchObject({
          outcome: { kind: 'answered' },
          scores: { 'evidence-recall@10': expect.any(Number) },
        });
    const held = (name: string) =>
      answeredRows.find((one) => one.name === name)?.both.filter(({ actual }) => actual.uncertain_nano_usd > 0) ?? [];
    for (const name of ['unbilled', 'impossible', 'zero']) expect(held(name), name).toHaveLength(1);
    expect(held('unbilled')[0]).toMatchObject({
      actual: { calls: 1, nano_usd: 0, usage: null },
      attributed: { reader: { usage: null, nano_usd: null }, nano_usd: null },
    });
    expect(held('well')).toEqual([]);

    expectMeans(done.rows, done.result.arms);
    await expectUncertainShown(folder, done);

    // PR-4: in the rows, the result, the manifest and the table's notes.
    const renamed = answeredRows
      .find(({ name }) => name === 'renamed')
      ?.both.flatMap(({ reported_models }) => reported_models);
    expect(renamed?.sort()).toEqual(['reader-1', 'reader-1-next-week']);
    const change = { stage: 'reader', requested: 'reader-1', reported: ['reader-1', 'reader-1-next-week'] };
    expect(done.result.model_changes).toEqual([change]);
    const manifest = JSON.parse(await readFile(join(done.result.path, 'run.json'), 'utf8'));
    expect(manifest).toMatchObject({
      model_changes: [change],
      ledger: { by_arm_and_stage: done.result.ledger.by_arm_and_stage },
    });
    expect(manifest.arms.flatMap((arm: { reported_models: string[] }) => arm.reported_models)).toContain(
      'reader-1-next-week',
    );

    // The server echoed the key into its 403; nothing passed it on.
    expect(server.requests.some(({ answered }) => answered.includes(KEY))).toBe(true);
    expect(`${done.stdout}${done.stderr}${JSON.stringify(done.rows)}`).not.toContain(KEY);

    const { spent_nano_usd, held_nano_usd } = done.result.ledger;
    expect(server.bill().nano_usd).toBeLessThanOrEqual(BigInt(spent_nano_usd + held_nano_usd));
    expect(server.bill().nano_usd).toBeGreaterThan(BigInt(spent_nano_usd));
  });
});

/** How the journal resolved a row's call. */
function resolutionOf(journal: Awaited<ReturnType<typeof run>>['journal'], row: Observation) {
  const reserve = journal.find(({ kind, arm, unit }) => kind === 'reserve' && arm === row.arm && unit === row.question);
  return journal.find(({ kind, id }) => kind !== 'reserve' && id !== undefined && id === reserve?.id);
}

/** Both means over the denominators that OB-4 gives, worked out here from the rows. */
function expectMeans(rows: readonly Observation[], arms: Awaited<ReturnType<typeof run>>['result']['arms']): void {
  let ownFailures = 0;
  for (const arm of arms) {
    const own = rows.filter((row) => row.arm === arm.arm);
    const answered = own.filter(({ outcome }) => outcome.kind === 'answered');
    const failed = own.filter(({ outcome }) => outcome.cause?.own_making === true).length;
    ownFailures += failed;
    const lost = own.length - answered.length - failed;
    expect(arm).toMatchObject({ questions: own.length, answered: answered.length, failed, lost });
    const points = answered.reduce((sum, row) => sum + (row.scores['evidence-recall@10'] as number), 0);
    const detail = arm.score_details['evidence-recall@10'];
    expect(detail).toMatchObject({ n: answered.length + failed, failed });
    expect(detail?.mean).toBeCloseTo(points / (answered.length + failed), 12);
    expect(detail?.mean_without_failures).toBeCloseTo(points / answered.length, 12);
  }
  expect(ownFailures).toBe(CASES.filter(({ own }) => own).length);
  // Every turn is found by both arms here: an outage of either takes nothing from it.
  for (const arm of arms) expect(arm.score_details['evidence-recall@10']?.mean_without_failures).toBe(1);
}

/** Uncertain amounts by arm and stage, in the result and by the verb `ledger` (LG-6, OB-3). */
async function expectUncertainShown(folder: string, { rows, result }: Awaited<ReturnType<typeof run>>): Promise<void> {
  const uncertain = (arm: string) =>
    rows.filter((row) => row.arm === arm).reduce((sum, row) => sum + row.actual.uncertain_nano_usd, 0);
  let all = 0;
  for (const { arm, uncertain_nano_usd } of result.arms) {
    expect(uncertain_nano_usd).toBe(uncertain(arm));
    expect(result.ledger.by_arm_and_stage).toContainEqual(
      expect.objectContaining({ arm, stage: 'reader', uncertain_nano_usd }),
    );
    all += uncertain_nano_usd;
  }
  expect(result.ledger).toMatchObject({ uncertain_nano_usd: all, held_nano_usd: all, breached: false });
  const shown = await cli(['ledger', 'latest', '--out', join(folder, 'runs')]);
  expect(shown.code).toBe(0);
  expect(shown.stdout).toMatch(/^bm25 +reader /m);
  expect(shown.stdout.match(/^uncertain r\d+: .*, reader, small, small\/q\d+: /gm)).toHaveLength(
    rows.filter(({ actual }) => actual.uncertain_nano_usd > 0).length,
  );
  expect(shown.stdout).toMatch(/: usage-missing$/m);
}

describe('a provider that refuses the key, or does not know the model', () => {
  it.each([
    [401, 'PROVIDER_AUTHENTICATION', false],
    [404, 'PROVIDER_INVALID_REQUEST', true],
  ])(
    'PR-3 OB-4 OB-5 after a %i nothing more is sent to it: what is left is skipped, and asked once it is mended',
    async (status, code, bothFormed) => {
      const folder = await temporaryFolder();
      let refuses = true;
      const when = (body: unknown): boolean => refuses && stageOf(body) === 'reader';
      server = await startPricedServer({
        answer: simpleModels(),
        failures: [{ when, failure: { kind: 'status', status } }],
      });
      const fixture = await writeFixture(folder, 'small', undefined, ['a', 'b', 'c'].map(questionOf));
      const other = await writeFixture(folder, 'other', undefined, ['d'].map(questionOf));
      const matrix = await writeMatrix(folder, {
        url: server.url,
        fixtures: [fixture, other],
        arms: [BM25, RECENCY],
        concurrency: 1,
      });
      const done = await run(folder, matrix);
      expect(done.code, done.stderr).toBe(7);
      expect(received(server, 'reader')).toHaveLength(1);
      // A key is of every model: where it is refused, the other fixture is not formed either.
      expect(received(server, 'formation')).toHaveLength(bothFormed ? 4 : 2);
      expect(done.rows).toHaveLength(bothFormed ? 8 : 2);
      for (const { outcome } of done.rows)
        expect(outcome).toMatchObject({ kind: 'skipped', cause: { stage: 'reader', kind: 'provider', code } });
      expect(done.result).toMatchObject({
        status: 'incomplete',
        resume: `recall-matrix run --resume ${done.result.path}`,
        arms: [{ status: 'incomplete' }, { status: 'incomplete' }],
      });
      expect(done.result.ledger.held_nano_usd).toBe(0);
      // Said once an arm, or a fixture that is not formed, and not once a question.
      const unformed = bothFormed ? [] : [null];
      expect(done.result.problems.map(({ arm }) => arm)).toEqual(
        expect.arrayContaining(['bm25', 'recency', ...unformed]),
      );
      expect(done.result.problems).toHaveLength(2 + unformed.length);

      refuses = false;
      const resumed = await cli(['run', '--resume', done.result.path, '--json']);
      expect(resumed.code, resumed.stderr).toBe(0);
      expect(JSON.parse(resumed.stdout)).toMatchObject({
        status: 'complete',
        arms: [{ answered: 4 }, { answered: 4 }],
      });
      expect(received(server, 'reader')).toHaveLength(9);
    },
  );

  it('PR-3 a judge that it refuses is asked once, and its verdicts come when the run is resumed', async () => {
    const folder = await temporaryFolder();
    let refuses = true;
    const when = (body: unknown): boolean => refuses && stageOf(body) === 'judge';
    server = await startPricedServer({
      answer: simpleModels(),
      failures: [{ when, failure: { kind: 'status', status: 401 } }],
    });
    const fixture = await writeFixture(folder, 'small', undefined, ['a', 'b', 'c'].map(questionOf));
    const matrix = await writeMatrix(folder, {
      url: server.url,
      fixtures: [fixture],
      arms: [BM25],
      concurrency: 1,
      scoring: ['token-f1', 'judge:one'],
      judges: { one: { provider: 'remote', model: 'judge-1' } },
    });
    const done = await run(folder, matrix);
    expect(done.code, done.stderr).toBe(7);
    expect(received(server, 'judge')).toHaveLength(1);
    expect(done.result.problems).toMatchObject([{ code: 'PROVIDER_AUTHENTICATION' }]);
    refuses = false;
    const resumed = await cli(['run', '--resume', done.result.path, '--json']);
    expect(resumed.code, resumed.stderr).toBe(0);
  });
});

describe('a cost above its reservation', () => {
  it('LG-9 is recorded and reported, and admission stops', async () => {
    const folder = await temporaryFolder();
    const huge = { prompt_tokens: 9_000_000, completion_tokens: 10, total_tokens: 9_000_010 };
    const isThird = {
      when: (_: unknown, index: number) => index === 4,
      failure: { kind: 'usage', usage: huge } as const,
    };
    server = await startPricedServer({ answer: simpleModels(), failures: [isThird] });
    const fixture = await writeFixture(folder, 'small');
    const matrix = await writeMatrix(folder, {
      url: server.url,
      fixtures: [fixture],
      arms: [BM25, RECENCY],
      concurrency: 1,
    });
    const done = await run(folder, matrix);
    expect(done.code, done.stderr).toBe(4);
    const trueCost = Number(9_000_000n * PRICES['reader-1'].input_nano_usd + 10n * PRICES['reader-1'].output_nano_usd);
    const settled = done.journal.findIndex(({ cost_nano_usd }) => cost_nano_usd === trueCost);
    expect(done.journal.slice(settled).map(({ kind }) => kind)).toEqual(['settle', 'breach']);
    expect(done.result.ledger).toMatchObject({ breached: true });
    expect(done.result.ledger.spent_nano_usd).toBeGreaterThan(trueCost);
    // Two of formation, and the third of reading was the last that was sent.
    expect(server.requests).toHaveLength(5);
    expect(done.rows.filter(({ outcome }) => outcome.kind === 'answered')).toHaveLength(3);
    const shown = await cli(['ledger', 'latest', '--out', join(folder, 'runs')]);
    expect(shown.stdout).toContain('BREACHED');
    // Nothing more is admitted: a resume can do nothing, and is not named.
    expect(done.result).toMatchObject({ status: 'incomplete', resume: null });
    expect(done.stderr).not.toContain('--resume');
    expect(done.stderr).toContain('start a new run');
  });
});
