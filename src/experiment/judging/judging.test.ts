import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampleRow } from '../../../test/support/observation-samples.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { digestText } from '../../core/digest.js';
import { budgetRefused } from '../../core/errors.js';
import type { Fixture } from '../../fixture/fixture.js';
import type { Completion, CompletionRequest } from '../../provider/completion.js';
import type { MeteredCall } from '../../provider/metered.js';
import { NO_USAGE } from '../../provider/usage.js';
import type { Observation } from '../asking/observation.js';
import { BudgetGate } from '../budget-gate.js';
import type { RunFolder } from '../run-folder.js';
import type { Session } from '../session.js';
import { JudgementFile } from './judgement-file.js';
import { Judging } from './judging.js';

const IDS = ['q1', 'q2', 'q3'];
const FIXTURE = {
  manifest: { id: 'mill' },
  questions: IDS.map((id) => ({ id, question: `What is ${id}?`, asked_at: '2024-03-01T09:00:00', subjects: [] })),
  labels: new Map(
    IDS.map((id) => [id, { question_id: id, category: 'c', answerable: true, expected: ['blue'], evidence: [] }]),
  ),
} as unknown as Fixture;

type Answers = (request: CompletionRequest, nth: number) => string | Error;

/** A session whose judge `kind` answers as scripted, and the requests that it was sent. */
async function judged(options: {
  answers?: Answers;
  repeats?: number;
  folder?: string;
  secrets?: readonly string[];
  signal?: AbortSignal;
}) {
  const path = options.folder ?? (await temporaryFolder());
  await mkdir(join(path, 'requests'), { recursive: true });
  const sent: string[] = [];
  const choice = {
    provider: 'remote',
    model: 'm',
    parameters: { max_output_tokens: 64, temperature: 0, top_p: null, seed: null, reasoning_effort: null },
    prompt: { name: 'correctness', text: 'Judge.', digest: digestText('Judge.') },
    repeats: options.repeats ?? 1,
    labels: null,
  };
  const model = {
    kind: 'openai',
    wire_api: 'chat-completions',
    endpoint: 'e',
    model: 'm',
    resolved_at: '',
    credential_ref: null,
  };
  const matrix = {
    scoring: ['token-f1', 'judge:kind'],
    judges: { kind: choice },
    seed: '1',
    concurrency: 1,
    arms: [{ name: 'a' }, { name: 'b' }],
  };
  const session = {
    loaded: { matrix },
    signal: options.signal ?? new AbortController().signal,
    progress: () => {},
    ledger: { totals: () => ({ spent_nano_usd: 0n, held_nano_usd: 0n }) },
    providers: {
      secretValues: options.secrets ?? [],
      resolve: () => model,
      completions: (
        _choice: unknown,
        _fixture: unknown,
        _ledger: unknown,
        attribution: object,
        onCall: (call: MeteredCall) => void,
      ) => ({
        complete: async (request: CompletionRequest): Promise<Completion> => {
          expect(attribution).toMatchObject({ arm: null, stage: 'judge', fixture: 'mill' });
          sent.push(request.messages[1]?.content ?? '');
          const answer = (options.answers ?? (() => saying(true)))(request, sent.length);
          if (answer instanceof Error) throw answer;
          onCall({
            usage: NO_USAGE,
            attributed_nano_usd: 7n,
            actual_nano_usd: 7n,
            is_send: true,
            outcome: 'settled',
            reserved_nano_usd: 9n,
            latency_ms: 1,
            reported_model: 'm-1',
          } as never);
          return { contents: [answer], finish: 'stop', tool_calls: 0, reported_model: 'm-1', usage: NO_USAGE };
        },
      }),
    },
  } as unknown as Session;
  const folder = {
    judgementsPath: join(path, 'judgements.jsonl'),
    keepRequest: async () => {},
  } as unknown as RunFolder;
  const gate = new BudgetGate();
  const judging = new Judging(session, folder, gate, new Map());
  return { path, judging, sent, gate, file: folder.judgementsPath };
}

const saying = (correct: boolean, reason = 'so'): string =>
  JSON.stringify({ reason, verdict: correct ? 'correct' : 'incorrect' });

function row(question: string, arm: string, answer: string, more: Partial<Observation> = {}): Observation {
  return sampleRow({ fixture: 'mill', question, arm, answer, position: IDS.indexOf(question), ...more });
}

const ROWS = [row('q2', 'b', 'red'), row('q1', 'a', 'blue'), row('q1', 'b', 'blue'), row('q2', 'a', 'green')];

describe('OB-7 judging', () => {
  it('asks once about equal answers, in load order, and lays the same verdict on each row', async () => {
    const { judging, sent } = await judged({ answers: (_, nth) => saying(nth === 1) });
    const lay = await judging.judgeBlock(FIXTURE, ROWS);
    expect(sent.map((text) => JSON.parse(text).question)).toEqual(['What is q1?', 'What is q2?', 'What is q2?']);
    const rows = ROWS.map(lay);
    expect(rows.map(({ scores }) => scores['judge:kind'])).toEqual([0, 1, 1, 0]);
    expect(rows[1]?.judgements).toEqual(rows[2]?.judgements);
    expect(rows[1]?.judgements.kind).toMatchObject({ by: 'judge', correct: 1, verdicts: 1, nano_usd: 7, cause: null });
    expect(rows[1]?.applicable).toEqual(['token-f1', 'judge:kind']);
    expect(judging.takeErrors()).toEqual([]);
    // Laid twice, nothing changes: a resumed run lays on what it finds.
    expect(rows.map(lay)).toEqual(rows);
  });

  it('OB-5 a resumed run asks for no verdict that is durable, and for those that are missing', async () => {
    const first = await judged({
      repeats: 3,
      answers: (request, nth) => (nth === 2 || nth > 6 ? new Error('lost') : saying(nth !== 3 || request === null)),
    });
    const lay = await first.judging.judgeBlock(FIXTURE, ROWS);
    expect(first.sent.length).toBe(9);
    // q1 has two of its three verdicts: none is made of them.
    expect(ROWS.map(lay).map(({ scores }) => scores['judge:kind'])).toContain(null);
    expect(lay(ROWS[1] as Observation).judgements.kind).toMatchObject({
      by: null,
      verdicts: 0,
      cause: { code: 'UNEXPECTED', message: 'lost' },
    });
    const kept = (await readFile(first.file, 'utf8')).split('\n').length - 1;
    const second = await judged({ repeats: 3, folder: first.path });
    const again = await second.judging.judgeBlock(FIXTURE, ROWS);
    expect(second.sent.length).toBe(9 - kept);
    expect(ROWS.map(again).every(({ judgements }) => judgements.kind?.verdicts === 3)).toBe(true);
    const third = await judged({ repeats: 3, folder: first.path });
    await third.judging.judgeBlock(FIXTURE, ROWS);
    expect(third.sent).toEqual([]);
  });

  it('MX-9 OB-4 a refusal by the budget stops the judge for all; rows keep their answers, without a score', async () => {
    const { judging, sent, gate } = await judged({
      answers: (_, nth) => (nth === 1 ? saying(true) : budgetRefused('LEDGER_LIMIT', 'no more', { remedy: 'more' })),
    });
    const lay = await judging.judgeBlock(FIXTURE, ROWS);
    // Refused, tried alone once more, and then nobody is asked.
    expect(sent.length).toBe(3);
    expect(gate.closedBy?.code).toBe('LEDGER_LIMIT');
    const causes = ROWS.map(lay).map(({ answer, judgements }) => [answer, judgements.kind?.cause?.code ?? null]);
    expect(causes.sort()).toEqual([
      ['blue', null],
      ['blue', null],
      ['green', expect.stringMatching(/LEDGER_LIMIT|BUDGET_STOP/)],
      ['red', expect.stringMatching(/LEDGER_LIMIT|BUDGET_STOP/)],
    ]);
    expect(judging.takeErrors().length).toBe(1);
  });

  it('CL-3 asks nothing once the run is interrupted', async () => {
    const { judging, sent } = await judged({ signal: AbortSignal.abort() });
    const lay = await judging.judgeBlock(FIXTURE, ROWS);
    expect(sent).toEqual([]);
    expect(lay(ROWS[0] as Observation).judgements.kind?.cause?.code).toBe('INTERRUPTED');
  });

  it('RS-4 keeps no reason that holds a key', async () => {
    const { judging, file } = await judged({
      answers: () => saying(true, 'the key is sk-secret-123456'),
      secrets: ['sk-secret-123456'],
    });
    const lay = await judging.judgeBlock(FIXTURE, [ROWS[0] as Observation]);
    expect(lay(ROWS[0] as Observation).judgements.kind?.cause?.code).toBe('JUDGE_HOLDS_SECRET');
    expect(await readFile(file, 'utf8')).toBe('');
  });

  it('abstentions are decided by rule, failed rows are not judged, and both stay in their denominators', async () => {
    const { judging, sent } = await judged({});
    const abstained = row('q1', 'a', '', { abstained: true });
    const declined = row('q2', 'a', '', { abstained: true, answerable: false });
    const failed = row('q3', 'a', 'x', {
      answer: null,
      outcome: {
        kind: 'failed',
        cause: { stage: 'reader', kind: 'provider', code: 'X', message: 'm', remedy: null, own_making: true },
      },
    });
    const lay = await judging.judgeBlock(FIXTURE, [abstained, declined, failed]);
    expect(sent).toEqual([]);
    expect([abstained, declined, failed].map(lay).map(({ scores }) => scores['judge:kind'])).toEqual([0, 1, null]);
    expect(lay(declined).judgements.kind).toMatchObject({ by: 'rule', nano_usd: 0 });
    expect(lay(failed)).toMatchObject({ judgements: {}, applicable: ['token-f1', 'judge:kind'] });
  });

  it('a file of verdicts that is damaged is refused, one torn by a crash is not', async () => {
    const { judging, file } = await judged({});
    await judging.judgeBlock(FIXTURE, ROWS);
    const { writeFile, appendFile } = await import('node:fs/promises');
    await appendFile(file, '{"format":"judgem');
    const torn = await JudgementFile.read(file);
    expect(torn.itemsOf('kind').length).toBe(3);
    await writeFile(file, '{"format":"judgement@9"}\n');
    await expect(JudgementFile.read(file)).rejects.toMatchObject({ kind: 'invalid-input', code: 'JUDGEMENTS_BROKEN' });
  });
});
