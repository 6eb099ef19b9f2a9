import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Comparison } from '../../src/report/comparison/comparison.js';
import { type CliResult, type CommandOptions, command, documentOf } from '../support/cli.js';
import { comparisonSchema } from '../support/comparison-schema.js';
import { keptFolder } from '../support/kept-folder.js';
import { type AskedRow, type RowValue, writeRecordedRun } from '../support/recorded-run.js';

const FIXTURES = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6'].map((id) => ({ id, questions: 8 }));

/** Scores with some noise, that any order gives alike. */
function noisy({ index, conversation }: AskedRow, level: number, salt: number): number {
  return Math.min(1, Math.max(0, level + (((index * 7 + conversation * 3 + salt) % 5) - 2) / 20));
}

const RUNS: Readonly<Record<string, (asked: AskedRow) => RowValue>> = {
  monday: (asked) => noisy(asked, 0.7, 0),
  quiet: (asked) => noisy(asked, 0.7, 2),
  fallen: (asked) => noisy(asked, asked.arm === 'bm25' ? 0.4 : 0.7, 1),
  outage: (asked) => (asked.index < 2 ? 'lost' : noisy(asked, 0.7, 1)),
};

let folder: string;
let remove: () => Promise<void>;

beforeAll(async () => {
  ({ path: folder, remove } = await keptFolder());
  for (const [name, row] of Object.entries(RUNS))
    await writeRecordedRun({ name, folder, fixtures: FIXTURES, scorers: ['token-f1', 'exact-match'], row });
  await writeRecordedRun({
    name: 'alone',
    folder,
    fixtures: [{ id: 'c1', questions: 8 }],
    scorers: ['token-f1', 'exact-match'],
    row: RUNS.monday as NonNullable<(typeof RUNS)[string]>,
  });
});

afterAll(() => remove?.());

const compare = (args: readonly string[], options: CommandOptions = {}): Promise<CliResult> =>
  command(['compare', ...args], { cwd: folder, database: null, ...options });

async function document(args: readonly string[]): Promise<{ readonly code: number | null; readonly said: Comparison }> {
  const result = await compare([...args, '--json']);
  const said = documentOf(result);
  expect(comparisonSchema.safeParse(said).error?.issues ?? []).toEqual([]);
  return { code: result.code, said: said as Comparison };
}

describe('RP-2 RP-4 compare', () => {
  it('RP-4 CL-4 prints one document of the stated format, for two runs and for one', async () => {
    const two = await document(['monday', 'quiet']);
    expect(two).toMatchObject({ code: 0, said: { kind: 'two-runs', gate: 'none', gates: [] } });
    expect(two.said.datasets[0]?.contrasts.map(({ head_arm }) => head_arm)).toContain('semantic');
    const one = await document(['monday', '--arm', 'semantic', '--against', 'bm25']);
    expect(one).toMatchObject({ code: 0, said: { kind: 'within-run' } });
    expect(one.said.datasets[0]?.contrasts[0]).toMatchObject({ head_arm: 'semantic', base_arm: 'bm25' });
  });

  it('RP-3 CL-1 compares by the primary scorer, by others where they are named, and by a gate’s in any case', async () => {
    const scorersOf = async (...args: string[]) => {
      const { said } = await document(['monday', 'quiet', '--arm', 'bm25', ...args]);
      return said.datasets[0]?.contrasts.map(({ scorer }) => scorer);
    };
    expect(await scorersOf()).toEqual(['token-f1']);
    expect(await scorersOf('--all-scorers')).toEqual(['token-f1', 'exact-match']);
    expect(await scorersOf('--scorer', 'exact-match')).toEqual(['exact-match']);
    expect(await scorersOf('--scorer', 'exact-match', '--gate')).toEqual(['token-f1', 'exact-match']);
    expect(await scorersOf('--fail-if', 'exact-match < -0.9')).toEqual(['token-f1', 'exact-match']);
    expect((await compare(['monday', 'quiet'])).stdout).toContain('--all-scorers');
  });

  it('RP-4 CL-2 exits 0 on a quiet night, and 3 on a planted fall of one arm, which it names', async () => {
    expect(await document(['monday', 'quiet', '--fail-if', 'token-f1 < -0.02'])).toMatchObject({
      code: 0,
      said: { gate: 'passed' },
    });
    const { code, said } = await document(['monday', 'fallen', '--gate']);
    expect(code).toBe(3);
    expect(said.gates.map(({ head_arm, outcome }) => [head_arm, outcome === 'regression'])).toEqual([
      ['bm25', true],
      ['semantic', false],
    ]);
    expect((await document(['monday', 'fallen', '--gate', '--arm', 'semantic'])).code).toBe(0);
  });

  it('RP-4 CL-2 exits 7 on a night that lost too many rows: neither pass nor regression', async () => {
    expect(await document(['monday', 'outage', '--gate'])).toMatchObject({ code: 7, said: { gate: 'invalid' } });
    expect((await document(['monday', 'outage', '--gate', '--max-provider-errors', '0.3'])).code).toBe(0);
  });

  it('RP-4 CL-2 exits 2 where a gate can never fail, and says what can', async () => {
    const { code, said } = await document(['alone', 'alone', '--gate']);
    expect({ code, gate: said.gate }).toEqual({ code: 2, gate: 'untestable' });
    expect((await compare(['alone', 'alone', '--gate'])).stdout.replace(/\s+/g, ' ')).toContain('--gate-scope these');
    expect((await document(['alone', 'alone', '--gate', '--gate-scope', 'these'])).code).toBe(0);
  });

  it.each([
    [['monday', 'quiet', '--fail-if', 'token-f1 is bad'], 'GATE_CONDITION'],
    [['monday', 'quiet', '--fail-if', 'mrr@10 < 0'], 'mrr@10'],
    [['monday', 'quiet', '--max-provider-errors', 'x'], 'It is a share'],
    [['monday', 'quiet', '--all-scorers', '--scorer', 'token-f1'], 'cannot be used with'],
    [['monday', 'nowhere'], 'RUN_NOT_FOUND'],
    [['monday', 'alone'], ''],
    [['monday', 'quiet', '--csv', 'nowhere/x.csv'], 'OUTPUT_UNWRITABLE'],
  ])('RP-2 CL-2 refuses %j with what to do', async (args, said) => {
    const result = await compare(args);
    expect(result.code, result.stdout).toBe(2);
    expect(result.stderr).toContain(said);
    expect(result.stderr).toMatch(/remedy|--help shows examples/);
  });

  it('RP-4 writes CSV, Markdown and JUnit, and adds the summary to the job’s', async () => {
    const summary = join(folder, 'summary.md');
    await writeFile(summary, '# the job\n');
    const names = ['c.csv', 'c.md', 'c.xml'];
    const flags = ['--csv', 'c.csv', '--markdown', 'c.md', '--junit', 'c.xml', '--gate'];
    const env = { GITHUB_STEP_SUMMARY: summary };
    const { code, stdout, stderr } = await compare(['monday', 'fallen', ...flags], { env });
    expect(code).toBe(3);
    for (const name of names) expect(stderr).toContain(`wrote ${join(folder, name)}`);
    const [csv = '', markdown = '', xml = ''] = await Promise.all(
      names.map((name) => readFile(join(folder, name), 'utf8')),
    );
    expect(csv.trimEnd().split('\n')).toHaveLength(3);
    expect(xml).toContain('failures="1"');
    expect(xml.endsWith('>\n')).toBe(true);
    expect(await readFile(summary, 'utf8')).toBe(`# the job\n${markdown}`);
    expect((await stat(join(folder, 'c.csv'))).mode & 0o777).toBe(0o644 & ~process.umask());
    for (const line of stdout.trimEnd().split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
    expect(stdout).toMatch(/^Gate: REGRESSION/m);
  });

  it('RP-4 CL-2 a summary that cannot be written hides no regression', async () => {
    const env = { GITHUB_STEP_SUMMARY: join(folder, 'nowhere/summary.md') };
    const { code, stdout, stderr } = await compare(['monday', 'fallen', '--gate', '--json'], { env });
    expect({ code, gate: JSON.parse(stdout).gate }).toEqual({ code: 3, gate: 'regression' });
    expect(stderr).toContain('GITHUB_STEP_SUMMARY names, cannot be written');
  });

  it('RP-2 CL-4 reading writes nothing into a run, and says the same twice', async () => {
    const before = await stat(join(folder, 'runs/monday/run.json'));
    const [one, two] = [await compare(['monday', 'quiet', '--json']), await compare(['monday', 'quiet', '--json'])];
    expect(one.stdout).toBe(two.stdout);
    expect((await stat(join(folder, 'runs/monday/run.json'))).mtimeMs).toBe(before.mtimeMs);
  });
});
