import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { RunPlan, RunResult } from '../../src/experiment/experiment.js';
import { type CliResult, cli, command, documentOf, exits, PROJECT } from '../support/cli.js';
import { madeUpLocomo } from '../support/locomo-sample.js';
import { keptSmall, namesIn, SMALL_CALLS, type Small, writeSmall } from '../support/small-matrix.js';
import { strictRunResultSchema } from '../support/strict-run-result.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** One run that every test here looks at. */
let small: Small;
let remove: () => Promise<void>;
let ran: CliResult;

beforeAll(async () => {
  ({ small, remove } = await keptSmall());
  ran = await exits(0, small.run('run', ['--json']));
});
afterAll(() => remove());

describe('run', () => {
  it('CL-4 --json is one document of the stated format on standard output, and everything else on standard error', () => {
    const document = strictRunResultSchema.parse(documentOf(ran));
    expect(document).toMatchObject({
      status: 'complete',
      formation: [{ fixture: 'mill', source: 'recorded', calls: SMALL_CALLS, vector_bank: null }],
      arms: [{ arm: 'none' }, { arm: 'bm25', questions: 3, answered: 3, replayed_calls: SMALL_CALLS, parity: 'equal' }],
      ledger: { limit_nano_usd: 500_000_000, spent_nano_usd: 0, held_nano_usd: 0 },
      problems: [],
    });
    expect(ran.stderr).toMatch(/^mill: no bank of this history yet; recording one$/m);
    expect(ran.stderr).toMatch(/^mill: asking: 6\/6$/m);
    expect(ran.stderr).not.toContain('run-result@1');
  });

  it('CL-4 the stated format is strict: a field too many, one too few or of another kind is refused', () => {
    const document = documentOf(ran) as RunResult;
    const { ledger, ...withoutLedger } = document;
    expect(strictRunResultSchema.safeParse({ ...document, more: 1 }).success).toBe(false);
    expect(strictRunResultSchema.safeParse(withoutLedger).success).toBe(false);
    expect(strictRunResultSchema.safeParse({ ...document, ledger: { ...ledger, sends: '0' } }).success).toBe(false);
  });

  it('CL-4 CL-1 without --json a table of 80 columns stands on standard output, with nothing of the progress', async () => {
    const result = await exits(0, small.run('run'));
    expect(result.stdout).toMatch(/^run small-\d{8}-\d{6}-[0-9a-f]{4}: complete\n/);
    expect(result.stdout).toMatch(/^bm25 +beliefs +\d+ +\d\.\d{3} +– +unpriced$/m);
    expect(result.stdout).toContain('\n- formation: 1 conversation replayed (no new formation call): 3 calls');
    const { path } = documentOf(ran) as RunResult;
    const details = (await exits(0, command(['run', '--resume', path, '--details'], { env: { FORCE_COLOR: '1' } })))
      .stdout;
    expect(details).toMatch(/^mill +recorded now +3 /m);
    expect(details).toMatch(/^bm25 +beliefs +equal /m);
    // Painted where it is asked for, and the command at the end stands whole for who pastes it.
    expect(details).toContain('\u001b[32mcomplete');
    expect(details).toContain(`Next: recall-matrix report ${path}`);
    const widest = result.stdout.split('\n').filter((line) => !line.includes(small.folder));
    expect(Math.max(...widest.map((line) => [...line].length))).toBeLessThanOrEqual(80);
    expect(result.stdout).not.toContain('\u001b');
    expect(result.stdout).not.toContain('asking');
    expect(result.stderr).toMatch(/^mill: replaying bank [0-9a-f]{12}/m);
  });

  it('OB-1 OB-3 every observation fits `schema observation`, and the manifest and resolved matrix are written', async () => {
    const { path, matrix, run } = documentOf(ran) as RunResult;
    const schema = documentOf(await exits(0, command(['schema', 'observation']))) as object;
    const fits = new Ajv2020({ strict: false }).compile(schema);
    for (const arm of ['none', 'bm25']) {
      const text = await readFile(join(path, 'arms', arm, 'mill.observations.jsonl'), 'utf8');
      const rows = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(rows.map(({ question }) => question)).toEqual(['mill/q1', 'mill/q2', 'mill/q3']);
      for (const row of rows) {
        expect(fits(row), JSON.stringify(fits.errors)).toBe(true);
        expect(row).toMatchObject({ run, matrix });
        expect(fits({ ...row, more: 1 })).toBe(false);
      }
    }
    const manifest = JSON.parse(await readFile(join(path, 'run.json'), 'utf8')) as object;
    expect(manifest).toMatchObject({ format: 'run@1', run, status: 'complete', matrix: { digest: matrix } });
    expect(parse(await readFile(join(path, 'matrix.resolved.yaml'), 'utf8'))).toMatchObject({ name: 'small' });
  });
});

describe('the other verbs', () => {
  it('CL-1 CL-4 ledger shows a run by id, by folder and as the latest; one that is not there exits 2', async () => {
    const { run, path } = documentOf(ran) as RunResult;
    const inFolder = { cwd: small.folder };
    const byId = documentOf(await exits(0, command(['ledger', run, '--json'], inFolder)));
    expect(byId).toMatchObject({
      format: 'ledger-report@1',
      run,
      live: false,
      open: [],
      uncertain: [],
      totals: { limit_nano_usd: 500_000_000, spent_nano_usd: 0 },
    });
    expect(documentOf(await exits(0, command(['ledger', path, '--json'])))).toEqual(byId);
    expect((await exits(0, command(['ledger'], inFolder))).stdout).toMatch(
      /^ledger of small-.*\nlimit \$0\.5\S*, spent \$0/,
    );
    const none = await exits(2, command(['ledger', 'none-1', '--out', small.runs]));
    expect(none.stderr).toMatch(/RUN_NOT_FOUND: .*\n {2}remedy: /);
    expect((await exits(2, command(['ledger', '--out', small.banks]))).stderr).toContain('there is no run in');
  });

  it('MX-6 plan sends nothing, makes nothing, and says that a small cost is no admission', async () => {
    const before = await namesIn(small.runs);
    const document = documentOf(await exits(0, small.run('plan', ['--json'], { database: null })));
    expect(document).toMatchObject({
      format: 'plan@1',
      matrix: (documentOf(ran) as RunResult).matrix,
      budget_nano_usd: 500_000_000,
      blocks: [{ fixture: 'mill', questions: 3, formation_calls: SMALL_CALLS, bank: 'replay' }],
      total: { sends: 0, expected_nano_usd: 0, worst_nano_usd: 0 },
      admitted: 'yes',
    });
    const table = (await exits(0, small.run('plan', [], { database: null }))).stdout;
    expect(table).toMatch(/^mill +3 +3 +replays [0-9a-f]{12} +–$/m);
    expect(table).toContain('A small expected cost is no admission');
    expect(await namesIn(small.runs)).toEqual(before);
  });

  it('MX-9 a sample is drawn by seed, bound in the digest, and shown by the plan', async () => {
    const plan = async (...flags: string[]) =>
      documentOf(await exits(0, small.run('plan', ['--json', ...flags], { database: null }))) as RunPlan;
    const drawn = await plan('--sample', '2', '--seed', 'a');
    expect(drawn.blocks).toMatchObject([{ questions: 2 }]);
    expect(drawn.sample).toMatchObject({ size: 2, seed: 'a', of: 3 });
    expect(drawn.sample?.strata.reduce((sum, stratum) => sum + stratum.drawn, 0)).toBe(2);
    expect(drawn.matrix).not.toBe((await plan('--sample', '2', '--seed', 'b')).matrix);
    const refused = await exits(2, small.run('plan', ['--sample', '4'], { database: null }));
    expect(refused.stderr).toContain('SAMPLE_TOO_LARGE: a sample of 4 cannot be drawn of 3 questions');
  });

  it('CL-1 validate tells what is sound', async () => {
    expect(documentOf(await exits(0, small.run('validate', ['--json'])))).toEqual({
      format: 'validation@1',
      matrix: (documentOf(ran) as RunResult).matrix,
      fixtures: [{ id: 'mill', corpus: expect.stringMatching(/^sha256:/), questions: 3 }],
      arms: ['none', 'bm25'],
    });
    expect((await exits(0, small.run('validate'))).stdout).toMatch(/^small is sound: 1 fixture, 3 questions, 2 arms\n/);
  });

  it('MX-1 CL-1 schema prints JSON Schemas that accept what ships and refuse a wrong key', async () => {
    const ajv = new Ajv2020({ strict: false });
    const accepts = async (format: string, value: unknown): Promise<boolean> =>
      ajv.compile(documentOf(await exits(0, command(['schema', format]))) as object)(value);
    const quickstart = parse(await readFile(join(PROJECT, 'matrices', 'quickstart.yaml'), 'utf8')) as object;
    expect(await accepts('matrix', quickstart)).toBe(true);
    expect(await accepts('matrix', { ...quickstart, colour: 'red' })).toBe(false);
    const prices = {
      format: 'prices@1',
      entries: [{ model: 'm', as_of: '2026-11-01', input: '1', output: '2' }],
    };
    expect(await accepts('prices', prices)).toBe(true);
    expect(await accepts('prices', { ...prices, colour: 'red' })).toBe(false);
    expect((await exits(2, command(['schema', 'bank']))).stderr).toContain('matrix, observation, prices');
  });

  it('CL-1 record is one document too, and its ledger is its own', async () => {
    const fresh = await writeSmall();
    const result = await exits(0, fresh.run('record', ['--json']));
    const document = documentOf(result) as { run: string };
    expect(document).toMatchObject({
      format: 'record-result@1',
      run: expect.stringMatching(/^record-small-/),
      status: 'complete',
      formation: [{ fixture: 'mill', source: 'recorded', calls: SMALL_CALLS }],
      problems: [],
    });
    const report = documentOf(await exits(0, command(['ledger', 'latest', '--out', fresh.runs, '--json'])));
    expect(report).toMatchObject({ run: document.run });
  });

  it('CL-1 PG-1 doctor starts a local server for real, and says what it found', async () => {
    const result = await exits(0, cli(['doctor', '--json'], { database: null }));
    const { format, checks } = documentOf(result) as {
      format: string;
      checks: { name: string; ok: boolean; found: string }[];
    };
    expect(format).toBe('doctor@1');
    expect(checks.map(({ name, ok }) => `${name} ${ok}`)).toEqual([
      'node true',
      'formation implementation true',
      'postgres true',
      'local embedding model true',
    ]);
    expect(checks[2]?.found).toMatch(/^embedded server, version \d+.*; killed runs left nothing/);
    expect((await exits(0, command(['doctor']))).stdout).toMatch(/^ok {3}postgres: existing server, version \d/m);
  });

  it('FX-4 import locomo makes fixtures that validate, and says what it repaired and left out', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'in'));
    await writeFile(join(folder, 'in', 'made-up.json'), JSON.stringify(madeUpLocomo()));
    const args = ['import', 'locomo', 'in/made-up.json', '--observations'];
    const result = await exits(0, command([...args, '--out', 'out', '--json'], { cwd: folder }));
    expect(documentOf(result)).toMatchObject({ format: expect.stringMatching(/^[a-z-]+@1$/) });
    const fixtures = await namesIn(join(folder, 'out'));
    expect(fixtures.length).toBe(madeUpLocomo().length);
    expect(await namesIn(join(folder, 'out', fixtures[0] ?? ''))).toEqual([
      'fixture.yaml',
      'formation.transcript.jsonl',
      'history.jsonl',
      'questions.jsonl',
    ]);
    const matrix = join(PROJECT, 'matrices', 'locomo.yaml');
    await exits(0, command(['validate', matrix, '--fixtures', 'out/*'], { cwd: folder }));
    const lines = (await exits(0, command([...args, '--out', 'again'], { cwd: folder }))).stdout;
    expect(lines.split('\n').length).toBeGreaterThan(3);

    await writeFile(join(folder, 'in', 'broken.json'), '[{]');
    const broken = await exits(2, command(['import', 'locomo', 'in/broken.json', '--out', 'out-2'], { cwd: folder }));
    expect(broken.stderr).toMatch(/^in\/broken\.json: LOCOMO_NOT_JSON: /);
    const missing = await exits(2, command(['import', 'locomo', 'in/none.json', '--out', 'out-2'], { cwd: folder }));
    expect(missing.stderr).toMatch(/^in\/none\.json: LOCOMO_MISSING: .*\n {2}remedy: get /);
    expect(await namesIn(join(folder, 'out-2'))).toEqual([]);
  });
});
