import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { RunResult } from '../../src/experiment/experiment.js';
import type { RescoreResult } from '../../src/experiment/rescore-document.js';
import { received, simpleModels, stageOf } from '../support/chat-models.js';
import { command, documentOf, exits } from '../support/cli.js';
import {
  allFiles,
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
import { strictRunResultSchema } from '../support/strict-run-result.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const ENV = { [KEY_VARIABLE]: KEY };
const SHOUTS = 'export const score = ({ answer }) => (answer.length > 0 ? 0.5 : null);\n';
const lines = (values: readonly object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');
/** Another system's: one answer without a ranking, one with, an abstention, and a failure. */
const GIVEN = lines([
  { question: 'small/q1', answer: 'Lisbon' },
  { question: 'small/q2', answer: 'Rex', ranking: [{ turn: 'S1:2' }, { turn: 'S1:1' }] },
  { question: 'small/q3', abstained: true },
  { question: 'small/q4', failed: 'out of memory' },
]);

let server: OpenAiServer | undefined;
afterEach(() => server?.close());

/** The files with rows below a folder of a run, by their names there. */
async function rowFiles(folder: string): Promise<Record<string, string>> {
  const paths = (await allFiles(join(folder, 'arms'))).sort();
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [relative(folder, path), await readFile(path, 'utf8')] as const)),
  );
}

describe('rescore', () => {
  it('RP-6 RT-6 RT-7 gives stored rows the scores that asking gave them, to the byte', async () => {
    server = await startPricedServer({ answer: simpleModels() });
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'shouts.mjs'), SHOUTS);
    await writeFile(join(folder, 'given.jsonl'), GIVEN);
    const arm = (strategy: string, more: object = {}) => ({ name: strategy, retrieval: { strategy, ...more } });
    const matrix = await writeMatrix(folder, {
      url: server.url,
      fixtures: [await writeFixture(folder, 'small')],
      arms: [BM25, arm('none'), arm('full-history'), arm('evidence'), arm('file', { path: 'given.jsonl' })],
      load: { repeats: 2 },
      scoring: [
        'token-f1',
        'contains',
        'evidence-recall@10',
        'evidence-recall@20-tokens',
        'coverage',
        'abstention',
        'module:./shouts.mjs',
      ],
    });
    const run = documentOf(
      await command(['run', matrix, '--json', '--out', join(folder, 'runs')], { env: ENV }),
    ) as RunResult;
    expect(run.arms.map(({ status }) => status)).toEqual(['complete', 'complete', 'complete', 'complete', 'failed']);
    const sent = server.requests.length;
    const rescored = documentOf(await exits(0, command(['rescore', run.path, '--json']))) as RescoreResult;
    expect(server.requests.length).toBe(sent);
    expect(rescored.scorers.map(({ changed }) => changed)).toEqual(rescored.scorers.map(() => 0));
    expect(await rowFiles(join(run.path, 'rescored-1'))).toEqual(await rowFiles(run.path));
    strictRunResultSchema.parse(rescored.result);
    expect(rescored.result).toEqual(run);
  });

  it('RP-6 OB-4 CL-2 a judge that fails leaves rows without its score, told and counted; doing it again asks for those alone', async () => {
    let isDown = true;
    const isFailed = (body: unknown): boolean =>
      isDown && stageOf(body) === 'judge' && JSON.stringify(body).includes('Who hired');
    server = await startPricedServer({
      answer: simpleModels(),
      failures: [{ when: isFailed, failure: { kind: 'status', status: 500 } }],
    });
    const folder = await temporaryFolder();
    const parts = {
      url: server.url,
      fixtures: [await writeFixture(folder, 'small')],
      arms: [BM25],
      scoring: ['token-f1'],
    };
    const out = join(folder, 'runs');
    const started = command(['run', await writeMatrix(folder, parts), '--json', '--out', out], { env: ENV });
    const run = documentOf(await exits(0, started)) as RunResult;
    const judged = await writeMatrix(folder, {
      ...parts,
      scoring: ['token-f1', 'judge:plain'],
      judges: { plain: { provider: 'remote', model: 'judge-1', max_output_tokens: 64 } },
    });
    const failed = await exits(7, command(['rescore', run.path, judged, '--json'], { env: ENV }));
    const { result, resume } = documentOf(failed) as RescoreResult;
    expect(result).toMatchObject({
      status: 'incomplete',
      arms: [{ status: 'complete', judging: { plain: { judged: 3, unjudged: 1 } } }],
      problems: [{ code: 'PROVIDER_SERVER_ERROR', arm: null }],
    });
    expect(resume).toBe(`recall-matrix rescore ${run.path}`);
    expect(failed.stderr).toContain(`to continue: ${resume}`);
    isDown = false;
    const again = documentOf(await exits(0, command(['rescore', run.path, '--json'], { env: ENV }))) as RescoreResult;
    expect(again).toMatchObject({ verdicts_asked: 1, resume: null, result: { status: 'complete', problems: [] } });
    expect(received(server, 'judge')).toHaveLength(5);
  });

  it('RP-6 LG-1 LG-10 MX-4 a judge is booked in the run’s ledger, asked once for each answer, refused where the budget is, and no reader is asked', async () => {
    server = await startPricedServer({ answer: simpleModels() });
    const folder = await temporaryFolder();
    const parts = {
      url: server.url,
      fixtures: [await writeFixture(folder, 'small')],
      arms: [BM25, RECENCY],
      scoring: ['token-f1'],
      budget_usd: '0.02',
    };
    const matrix = await writeMatrix(folder, parts);
    const run = documentOf(
      await exits(0, command(['run', matrix, '--json', '--out', join(folder, 'runs')], { env: ENV })),
    ) as RunResult;
    const judge = { provider: 'remote', model: 'judge-1', max_output_tokens: 45_000 };
    const judged = await writeMatrix(folder, {
      ...parts,
      scoring: ['token-f1', 'judge:plain'],
      judges: { plain: judge },
    });
    const before = { files: await rowFiles(run.path), journal: await journalOf(run.path) };
    const rescore = (...more: string[]) => command(['rescore', run.path, ...more, '--json'], { env: ENV });
    const [questions, readers] = [4, received(server, 'reader').length];

    // One verdict may cost 0.018 USD at the worst: there is as much, and no more.
    const refused = await exits(4, rescore(judged));
    expect(refused.stderr).toContain('the run stays as it was');
    expect(refused.stderr).toContain(`to continue: recall-matrix rescore ${run.path} ${judged}`);
    expect(await rowFiles(run.path)).toEqual(before.files);
    const given = received(server, 'judge').length;
    expect(given).toBe(1);
    const stopped = JSON.parse(await readFile(join(run.path, 'run.json'), 'utf8')) as RunResult;
    expect(BigInt(stopped.ledger.spent_nano_usd)).toBe(server.bill().nano_usd);
    expect(stopped.arms).toEqual(run.arms);
    const key = await exits(2, command(['rescore', run.path, judged, '--json']));
    expect(key.stdout).toContain('ENV_MISSING');

    const rescored = documentOf(await exits(0, rescore(judged, '--budget', '0.20'))) as RescoreResult;
    const asked = received(server, 'judge');
    expect(received(server, 'reader').length).toBe(readers);
    expect(asked.length).toBe(given + rescored.verdicts_asked);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.length).toBeLessThanOrEqual(questions * 2);
    const journal = await journalOf(run.path);
    expect(journal.slice(0, before.journal.length)).toEqual(before.journal);
    const added = journal.slice(before.journal.length);
    expect(added.filter(({ kind }) => kind === 'reserve').map(({ stage, arm }) => [stage, arm])).toEqual(
      asked.map(() => ['judge', null]),
    );
    expect(added.filter(({ kind }) => kind === 'amendment')).toHaveLength(1);
    const { result } = rescored;
    expect(BigInt(result.ledger.spent_nano_usd)).toBe(server.bill().nano_usd);
    const paid = [
      ...result.formation.map((one) => one.actual_nano_usd),
      ...result.arms.map((one) => one.actual_nano_usd),
      result.judging?.actual_nano_usd ?? 0,
    ];
    expect(paid.reduce((sum, amount) => sum + amount, 0)).toBe(result.ledger.spent_nano_usd);
    expect(result.arms.map((one) => one.attributed_nano_usd)).toEqual(run.arms.map((one) => one.attributed_nano_usd));
    expect(result.arms.every(({ judging }) => (judging.plain?.judged ?? 0) > 0)).toBe(true);
    expect(await rowFiles(run.path)).toEqual(before.files);

    // Nothing is left to be asked: neither a key nor a limit is needed, and an extension goes on from the new rows.
    const again = documentOf(await exits(0, command(['rescore', run.path, '--json']))) as RescoreResult;
    expect(again.verdicts_asked).toBe(0);
    expect(received(server, 'judge').length).toBe(asked.length);
    expect(again.result).toEqual(result);
    const resumed = await exits(0, command(['run', '--resume', run.path, '--json'], { env: ENV }));
    expect(documentOf(resumed)).toEqual(result);
    const more = await writeMatrix(folder, {
      ...parts,
      load: { repeats: 2 },
      scoring: ['token-f1', 'judge:plain'],
      judges: { plain: judge },
    });
    const extended = await exits(0, command(['run', more, '--extend', run.path, '--json'], { env: ENV }));
    expect((documentOf(extended) as RunResult).status).toBe('complete');
    const rows = await rowsOf(join(run.path, 'rescored-2'));
    expect(rows).toHaveLength(questions * 2 * 2);
    expect(rows.every(({ scores }) => typeof scores['judge:plain'] === 'number')).toBe(true);
    expect(received(server, 'reader').length).toBe(readers * 2);
  });
});
