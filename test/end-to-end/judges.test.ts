import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { JudgeResult, JudgingResult } from '../../src/experiment/experiment.js';
import { planRun } from '../../src/experiment/planning/plan-run.js';
import { received, simpleModels, stageOf, userMessage } from '../support/chat-models.js';
import { SLOW_TEST_MS } from '../support/cli.js';
import {
  BM25,
  type FinishedRun,
  RECENCY,
  run,
  startPricedServer,
  writeFixture,
  writeMatrix,
} from '../support/cli-priced.js';
import type { OpenAiServer } from '../support/openai-server/index.js';
import { strictRunResultSchema } from '../support/strict-run-result.js';
import { temporaryFolder } from '../support/temporary-folder.js';

vi.setConfig({ testTimeout: SLOW_TEST_MS });

let server: OpenAiServer | undefined;
afterEach(() => server?.close());

const judge = (model: string, more: object = {}) => ({ provider: 'remote', model, max_output_tokens: 64, ...more });
const TWIN = { ...BM25, name: 'twin-of-bm25' };
const LABELS = [
  ['small/q1', 'I moved to Lisbon in January.', true, 'Ann'],
  ['small/q1', 'I moved to Lisbon in January.', true, 'Ben'],
  ['small/q2', 'Salt', true, 'Ann'],
  ['small/q3', 'Nobody did.', false, 'Ann'],
  ['small/q4', 'Milo', true, 'Ann'],
  ['small/q4', 'Milo', false, 'Ben'],
  ['small/q4', 'Milo and Pia', false, 'Ann'],
] as const;

async function judgedRun(folder: string, more: Partial<Parameters<typeof writeMatrix>[1]> = {}): Promise<FinishedRun> {
  const fixture = await writeFixture(folder, 'small');
  const lines = LABELS.map(([question, answer, correct, by]) => JSON.stringify({ question, answer, correct, by }));
  lines.push(JSON.stringify({ question: 'small/q1', expected: ['Porto'], answer: 'Porto', correct: true, by: 'Ann' }));
  await writeFile(join(folder, 'people.jsonl'), lines.map((line) => `${line}\n`).join(''));
  const matrix = await writeMatrix(folder, {
    url: server?.url ?? '',
    fixtures: [fixture],
    arms: [BM25, TWIN, RECENCY],
    load: { repeats: 2 },
    scoring: ['token-f1', 'judge:plain', 'judge:contrary'],
    judges: { plain: judge('judge-1', { repeats: 3, labels: 'people.jsonl' }), contrary: judge('judge-2') },
    ...more,
  });
  return run(folder, matrix);
}

describe('judges', () => {
  it('OB-7 LG-1 LG-12 FB-17 are asked once for each different answer, blind to the arm, through the ledger, beside the attributed cost', async () => {
    server = await startPricedServer({ answer: simpleModels() });
    const { code, stderr, result, rows, journal } = await judgedRun(await temporaryFolder());
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(result.status).toBe('complete');

    strictRunResultSchema.parse(result);

    // One request an item and repeat: two repeats of the load, two equal arms and the labels share theirs.
    const asked = received(server, 'judge');
    const items = (model: string) =>
      asked.filter(({ body }) => (body as { model: string }).model === model).map(({ raw }) => raw.toString('utf8'));
    const answers = new Set(
      rows.filter(({ abstained }) => !abstained).map(({ question, answer }) => `${question}\0${answer}`),
    );
    const labelled = new Set(
      LABELS.filter(([, answer]) => answer !== 'Milo').map(([question, answer]) => `${question}\0${answer}`),
    );
    expect(answers.size).toBeLessThan(rows.length);
    expect(new Set(items('judge-2')).size).toBe(answers.size);
    expect(items('judge-2').length).toBe(answers.size);
    expect(new Set(items('judge-1')).size).toBe(new Set([...answers, ...labelled]).size);
    expect(items('judge-1').length).toBe(3 * new Set([...answers, ...labelled]).size);

    // Blind: the message holds these four alone, and no body names an arm, a strategy or a retrieved item; the reader's does hold items.
    for (const { body, raw } of asked) {
      expect(Object.keys(userMessage(body))).toEqual(['answer', 'expected', 'present', 'question']);
      expect(userMessage(body).present).toBe('2024-04-01T09:00:00');
      for (const word of ['bm25', 'twin', 'recency', 'said:', 'S1:1', 'single-hop'])
        expect(raw.toString()).not.toContain(word);
    }
    expect(received(server, 'reader').some(({ raw }) => raw.toString().includes('said:'))).toBe(true);

    // The same answer has the same verdict in every arm and repeat.
    const verdicts = new Map<string, Set<unknown>>();
    for (const row of rows) {
      const key = `${row.question}\0${row.answer}`;
      verdicts.set(
        key,
        (verdicts.get(key) ?? new Set()).add(JSON.stringify([row.scores['judge:plain'], row.judgements.plain])),
      );
      expect(row.applicable).toEqual(['token-f1', 'judge:plain', 'judge:contrary']);
    }
    expect([...verdicts.values()].every((different) => different.size === 1)).toBe(true);
    const [first] = rows;
    const request = await readFile(
      join(result.path, 'requests', `${first?.judgements.plain?.request?.replace(':', '-')}.json`),
      'utf8',
    );
    expect(
      asked.some(({ body }) => userMessage(body).answer === JSON.parse(JSON.parse(request).messages[1].content).answer),
    ).toBe(true);

    // Money: every judge's send is the ledger's, for no arm, and sums up; no arm's attributed cost holds any of it.
    const stage = result.ledger.by_arm_and_stage.find((sums) => sums.stage === 'judge');
    expect(stage).toMatchObject({ arm: null, sends: asked.length, held_nano_usd: 0 });
    expect(result.ledger.by_arm_and_stage.reduce((sum, { spent_nano_usd }) => sum + spent_nano_usd, 0)).toBe(
      result.ledger.spent_nano_usd,
    );
    expect(BigInt(result.ledger.spent_nano_usd)).toBe(server.bill().nano_usd);
    expect(journal.filter((line) => line.kind === 'reserve' && line.stage === 'judge').length).toBe(asked.length);
    for (const { arm, attributed_nano_usd, judging } of result.arms) {
      const own = rows.filter((row) => row.arm === arm);
      const parts = own.flatMap(({ attributed: { formation, index, query, reader } }) => [
        formation,
        index,
        query,
        reader,
      ]);
      expect(attributed_nano_usd).toBe(parts.reduce((sum, { nano_usd }) => sum + (nano_usd ?? 0), 0));
      expect(judging.plain?.attributed_nano_usd).toBe(
        own.reduce((sum, { judgements }) => sum + (judgements.plain?.nano_usd ?? 0), 0),
      );
      expect(judging.plain?.attributed_nano_usd).toBeGreaterThan(0);
    }
    const kept = (await readFile(join(result.path, 'judgements.jsonl'), 'utf8')).trimEnd().split('\n');
    expect(kept.length).toBe(asked.length);

    // Against people: q1 right by both, q2 by people alone, q3 wrong by both, "Milo and Pia" by the judge alone; Milo is tied.
    const [plain, contrary] = (result.judging as JudgingResult).judges as [JudgeResult, JudgeResult];
    expect(plain.labels).toMatchObject({
      lines: 8,
      n: 4,
      left_out: { stale: 1, tied: 1, unjudged: 0 },
      confusion: { both_correct: 1, judge_only: 1, human_only: 1, both_incorrect: 1 },
      sensitivity: { estimate: 0.5, n: 2 },
      specificity: { estimate: 0.5, n: 2 },
      kappa: { estimate: 0, n: 4 },
    });
    expect(plain.arms[0]?.corrected).toMatchObject({ estimate: null, reason: expect.stringContaining('chance') });
    expect(contrary.labels).toBeNull();
    expect(plain).toMatchObject({ repeats: 3, unanimous: plain.items, agreement: 1 });
    // The contrary judge reverses every order that the plain one has.
    const [ahead, behind] = [...plain.arms].sort((a, b) => (b.mean ?? 0) - (a.mean ?? 0)).map(({ arm }) => arm);
    expect(plain.arms.map(({ rank }) => rank)).not.toEqual([1, 1, 1]);
    expect(result.judging?.rank_changes).toContainEqual({
      judges: ['plain', 'contrary'],
      arms: [ahead, expect.any(String)],
    });
    expect(result.judging?.rank_changes.flatMap(({ arms }) => arms)).toContain('recency');
    expect(behind).toBeDefined();
  });

  it('OB-7 OB-4 CL-2 MX-6 a judge that fails, or is refused by the budget, leaves its rows without a score, counted, and the answers whole', async () => {
    server = await startPricedServer({
      answer: simpleModels(),
      failures: [
        {
          when: (body) => stageOf(body) === 'judge' && JSON.stringify(body).includes('Who hired'),
          failure: { kind: 'status', status: 500 },
        },
        {
          when: (body) => stageOf(body) === 'judge' && JSON.stringify(body).includes('red bicycle?'),
          failure: { kind: 'truncated' },
        },
      ],
    });
    const folder = await temporaryFolder();
    const one = {
      arms: [BM25],
      load: { repeats: 1 },
      scoring: ['token-f1', 'judge:plain'],
      judges: { plain: judge('judge-1') },
    };
    const failed = await judgedRun(folder, one);
    expect(failed.code).toBe(7);
    expect(failed.result).toMatchObject({
      status: 'incomplete',
      arms: [{ status: 'complete', answered: 4, judging: { plain: { judged: 2, unjudged: 2 } } }],
    });
    expect(failed.result.arms[0]?.score_details['judge:plain']).toMatchObject({ n: 2, failed: 0 });
    expect(failed.rows.map(({ scores, judgements }) => [scores['judge:plain'], judgements.plain?.cause?.code])).toEqual(
      [
        [expect.any(Number), undefined],
        [expect.any(Number), undefined],
        [null, 'PROVIDER_SERVER_ERROR'],
        [null, 'JUDGE_UNSUPPORTED_COMPLETION'],
      ],
    );
    expect(failed.rows.every(({ outcome, scores }) => outcome.kind === 'answered' && scores['token-f1'] !== null)).toBe(
      true,
    );

    const planned = await planRun(join(folder, 'priced.yaml'), {});
    expect(planned.judges).toMatchObject([{ judge: 'plain', calls: 4, sends: 4 }]);
    expect(planned.total.sends).toBe(planned.reader.sends + 4);
    expect(planned.total.worst_nano_usd).toBe(
      (planned.reader.worst_nano_usd ?? 0) + (planned.judging.worst_nano_usd ?? 0),
    );
    expect(planned.notes.at(-1)).toContain('Judges are counted');

    // Reading fits; a judge that may answer at such length does not.
    const costly = {
      ...one,
      name: 'tight',
      budget_usd: '0.01',
      judges: { plain: judge('judge-1', { max_output_tokens: 100_000 }) },
    };
    const refused = await judgedRun(folder, costly);
    expect(refused.code).toBe(4);
    expect(refused.result.status).toBe('incomplete');
    expect(refused.rows.map(({ outcome }) => outcome.kind)).toEqual(Array(4).fill('answered'));
    expect(refused.rows.at(-1)?.judgements.plain).toMatchObject({ by: null, cause: { code: 'BUDGET_STOP' } });
    expect(refused.result.ledger.spent_nano_usd + refused.result.ledger.held_nano_usd).toBeLessThanOrEqual(
      refused.result.ledger.limit_nano_usd,
    );
  });
});
