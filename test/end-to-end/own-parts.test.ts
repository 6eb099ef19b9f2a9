import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Observation, RunResult } from '../../src/experiment/experiment.js';
import { command, documentOf, exits } from '../support/cli.js';
import { namesIn, SMALL_MATRIX, type Small, writeSmall } from '../support/small-matrix.js';

const ARMS = SMALL_MATRIX.slice(SMALL_MATRIX.indexOf('  - { name: none'), SMALL_MATRIX.indexOf('baseline'));

/** The small matrix with other arms, and files beside it. */
async function withParts(
  arms: readonly string[],
  files: Readonly<Record<string, string>>,
  change: (matrix: string) => string = (matrix) => matrix,
): Promise<Small> {
  const lines = arms.map((arm) => `  - { ${arm} }\n`).join('');
  const small = await writeSmall(
    change(SMALL_MATRIX.replace(ARMS, `  - { name: bm25, retrieval: { strategy: bm25 } }\n${lines}`)),
  );
  for (const [name, text] of Object.entries(files)) await writeFile(join(small.folder, name), text);
  return small;
}

async function rowsOf(result: RunResult, arm: string): Promise<Observation[]> {
  const text = await readFile(join(result.path, 'arms', arm, 'mill.observations.jsonl'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Observation);
}

const NEWEST = `export function rank({ items, limit }) {
  return items.map(({ id, at }) => ({ id, score: Date.parse(at + 'Z') / 1e12 })).sort((a, b) => b.score - a.score).slice(0, limit);
}
`;
const ODD = `export async function rank({ question, items, limit }) {
  if (question.id === 'mill/q1') throw new Error('q1 is beyond me');
  if (question.id === 'mill/q2') for (;;);
  return [{ id: 'nowhere', score: 1 }];
}
`;
const SHOUTS = `export const score = ({ label, answer }) => {
  if (label.question_id === 'mill/q3') return 7;
  return answer.length > 0 ? 0.5 : null;
};
`;
const line = (value: object): string => `${JSON.stringify(value)}\n`;
const RANKINGS = [
  line({
    question: 'mill/q1',
    ranking: [
      { turn: 'b:1', score: 2 },
      { turn: 'a:1', score: 1 },
    ],
  }),
  line({ question: 'mill/q2', ranking: [{ turn: 'b:2' }] }),
  line({ question: 'mill/q3', failed: 'out of memory' }),
].join('');
const ANSWERS = [
  line({ question: 'mill/q1', answer: 'yellow', ranking: [{ turn: 'b:1' }] }),
  line({ question: 'mill/q2', answer: 'Leeds' }),
  line({ question: 'mill/q3', abstained: true }),
].join('');

describe('parts of the user’s own', () => {
  it('RT-6 RT-7 modules and another system’s file run beside built-in arms; what fails, fails its rows', async () => {
    const small = await withParts(
      [
        'name: newest, retrieval: { strategy: module, path: newest.mjs, unit: turns, limit: 2 }',
        'name: odd, retrieval: { strategy: module, path: odd.mjs }',
        'name: rankings, retrieval: { strategy: file, path: rankings.jsonl }',
        'name: answers, retrieval: { strategy: file, path: answers.jsonl }',
      ],
      { 'newest.mjs': NEWEST, 'odd.mjs': ODD, 'rankings.jsonl': RANKINGS, 'answers.jsonl': ANSWERS },
      (matrix) => `${matrix}modules: { time_limit_ms: 700 }\n`,
    );
    const run = await exits(7, small.run('run', ['--json']));
    const result = documentOf(run) as RunResult;
    const arm = (name: string) => result.arms.find((one) => one.arm === name);
    expect(result.arms.map(({ arm: name, status, parity }) => [name, status, parity])).toEqual([
      ['bm25', 'complete', 'equal'],
      ['newest', 'complete', 'equal'],
      ['odd', 'failed', 'equal'],
      ['rankings', 'failed', 'not-applicable'],
      ['answers', 'complete', 'not-applicable'],
    ]);

    // The newest two; a minute apart, their scores are equal to 1e-6, so that the one stored first comes first (RT-2).
    const newest = await rowsOf(result, 'newest');
    expect(newest.map(({ retrieved }) => retrieved.map(({ id }) => id))).toEqual(Array(3).fill(['b:1', 'b:2']));
    expect(newest[0]).toMatchObject({
      strategy: 'module',
      effective_strategy: 'module',
      mode: 'standard',
      unit: 'turns',
    });

    // It threw, it hung, and it gave nonsense; it was started anew after each, and each failure counts as zero.
    const odd = await rowsOf(result, 'odd');
    expect(
      odd.map(({ outcome }) => [outcome.kind, outcome.cause?.stage, outcome.cause?.code, outcome.cause?.own_making]),
    ).toEqual([
      ['failed', 'recall', 'MODULE_THREW', true],
      ['failed', 'recall', 'MODULE_TIMED_OUT', true],
      ['failed', 'recall', 'RANKING_UNSOUND', true],
    ]);
    for (const { question, outcome } of odd)
      expect(outcome.cause?.message).toMatch(new RegExp(`odd\\.mjs, for the question ${question}`));
    expect(arm('odd')).toMatchObject({ failed: 3, scores: { 'token-f1': 0 } });

    // Rankings are read by the same reader from the same turns; a failure of the other system is its own.
    const rankings = await rowsOf(result, 'rankings');
    expect(rankings[0]).toMatchObject({
      strategy: 'file',
      effective_strategy: 'file',
      unit: 'turns',
      bank: null,
      parity: 'not-applicable',
      retrieved: [
        { id: 'b:1', score: 2 },
        { id: 'a:1', score: 1 },
      ],
      context: { included: ['a:1', 'b:1'] },
      attributed: { query: { nano_usd: null }, nano_usd: null },
    });
    expect(rankings[0]?.request).toMatch(/^sha256:/);
    expect(rankings[2]?.outcome).toMatchObject({
      kind: 'failed',
      cause: { code: 'OTHER_SYSTEM_FAILED', own_making: true },
    });

    // Answers are scored as they are: the reader is not asked, and nothing is known of what was read.
    const answers = await rowsOf(result, 'answers');
    expect(
      answers.map(({ answer, abstained, scores, request, context }) => [
        answer,
        abstained,
        scores['token-f1'],
        request,
        context,
      ]),
    ).toEqual([
      ['yellow', false, 1, null, null],
      ['Leeds', false, 0, null, null],
      ['', true, 1, null, null],
    ]);
    expect(answers.map(({ retrieved }) => retrieved.map(({ id }) => id))).toEqual([['b:1'], [], []]);
  });

  it('RT-6 OB-4 a scorer that fails, fails its row for every arm and counts against none', async () => {
    const small = await withParts([], { 'shouts.mjs': SHOUTS }, (matrix) =>
      matrix.replace('scoring: [token-f1, exact-match]', 'scoring: ["module:./shouts.mjs", token-f1]'),
    );
    const result = documentOf(await exits(7, small.run('run', ['--json']))) as RunResult;
    const rows = await rowsOf(result, 'bm25');
    expect(rows.slice(0, 2).map(({ scores }) => scores['module:./shouts.mjs'])).toEqual([0.5, 0.5]);
    expect(rows[2]?.outcome).toMatchObject({
      kind: 'failed',
      cause: {
        stage: 'scoring',
        code: 'MODULE_UNSOUND',
        own_making: false,
        message: expect.stringContaining('the score 7'),
      },
    });
    expect(rows[2]?.outcome.cause?.message).toContain('shouts.mjs, for the question mill/q3');
    expect(result.arms[0]).toMatchObject({ failed: 0, lost: 1, scores: { 'module:./shouts.mjs': 0.5 } });
    expect(result.arms[0]?.score_details['token-f1']?.n).toBe(2);
  });

  it('RT-6 FB-2 a policy module forms, is bound by its digest, and replays; one that fails, fails its fixture and is named', async () => {
    const policy = (more = ''): string =>
      `export const instructions = 'Keep the facts.';\nexport const chooseBeliefs = (beliefs) => beliefs.slice(-3).map(({ id }) => id);\n${more}`;
    const small = await withParts([], { 'mine.mjs': policy() }, (matrix) =>
      matrix.replace('formation:\n', 'formation:\n  policy: ./mine.mjs\n'),
    );
    const first = documentOf(await exits(0, small.run('run', ['--json']))) as RunResult;
    expect(first.formation[0]?.source).toBe('recorded');
    const [bank] = (await namesIn(small.banks)).filter((name) => name.endsWith('.bank.json'));
    const { identity } = JSON.parse(await readFile(join(small.banks, bank as string), 'utf8'));
    expect(identity.policy).toMatch(/^module@sha256:[0-9a-f]{64}$/);
    const again = documentOf(await exits(0, small.run('run', ['--json']))) as RunResult;
    expect(again.formation[0]).toMatchObject({ source: 'replayed', state: first.formation[0]?.state });

    const verified = await exits(
      2,
      command(['bank', 'verify', join('banks', bank as string), '--fixture', 'fixtures/mill'], { cwd: small.folder }),
    );
    expect(verified.stderr).toContain('POLICY_MODULE_NEEDED');
    expect(verified.stderr).toContain('--matrix');
    const verify = [
      'bank',
      'verify',
      join('banks', bank as string),
      '--fixture',
      'fixtures/mill',
      '--matrix',
      'm.yaml',
    ];
    const sound = await exits(0, command([...verify, '--json'], { cwd: small.folder }));
    expect(documentOf(sound)).toMatchObject({ format: 'bank-verification@1', state: first.formation[0]?.state });

    // Another module is another policy: its bank is another, and so is the matrix.
    await writeFile(
      join(small.folder, 'mine.mjs'),
      policy("export const requestText = () => { throw new Error('not today'); };\n"),
    );
    const other = await exits(5, command(verify, { cwd: small.folder }));
    expect(other.stderr).toContain('BANK_IDENTITY_DIFFERS');
    const failed = await exits(7, small.run('run', ['--json']));
    const result = documentOf(failed) as RunResult;
    expect(result.matrix).not.toBe(first.matrix);
    expect(failed.stderr).toContain('differs in policy');
    expect(result.problems[0]).toMatchObject({ code: 'MODULE_THREW', fixture: 'mill' });
    expect(result.problems[0]?.message).toMatch(
      /policy module mine\.mjs, for the batch that begins with turn a:1: it threw Error: not today/,
    );

    // Formed live, it keeps its arms from opening: refused, as by a bank, and no question of theirs has failed.
    const matrix = await readFile(small.matrix, 'utf8');
    await writeFile(small.matrix, matrix.replace('bank: record-if-missing', 'bank: off'));
    const live = documentOf(await exits(7, small.run('run', ['--json']))) as RunResult;
    expect(live).toMatchObject({ status: 'refused', arms: live.arms.map(() => ({ status: 'refused', failed: 0 })) });
    expect(live.arms[0]?.reason).toContain('policy module mine.mjs');
  });

  it('MX-2 RT-6 RT-7 wrong files are refused with their places, before a server starts', async () => {
    const small = await withParts(
      [
        'name: gone, retrieval: { strategy: module, path: gone.mjs }',
        'name: empty, retrieval: { strategy: module, path: empty.mjs }',
      ],
      { 'empty.mjs': 'export {};\n' },
    );
    const modules = await exits(2, small.run('run'));
    expect(modules.stderr).toMatch(/m\.yaml:15:\d+: MODULE_UNREADABLE: .*gone\.mjs/);
    expect(modules.stderr).toMatch(/m\.yaml:16:\d+: MODULE_EXPORTS: the strategy module empty\.mjs exports no rank/);
    expect(await namesIn(small.runs)).toEqual([]);

    const files = await withParts(['name: other, retrieval: { strategy: file, path: other.jsonl }'], {
      'other.jsonl': [
        line({ question: 'mill/q1', ranking: [{ turn: 'z:9' }] }),
        line({ question: 'mill/q1', answer: 'yellow' }),
        line({ question: 'mill/q7', answer: 'yellow' }),
      ].join(''),
    });
    const faults = await exits(2, files.run('validate'));
    expect(faults.stderr).toMatch(/other\.jsonl:1:\d+: RANKING_OF_NO_TURN/);
    expect(faults.stderr).toMatch(/other\.jsonl:2:\d+: RANKING_TWICE/);
    expect(faults.stderr).toMatch(/other\.jsonl:3:\d+: RANKING_OF_NO_QUESTION/);
    expect(faults.stderr.match(/other\.jsonl: RANKING_MISSING/g)).toHaveLength(2);
  });
});
