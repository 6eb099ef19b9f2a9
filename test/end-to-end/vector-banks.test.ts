import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Observation, RunPlan, RunResult, VectorBankDescription } from '../../src/experiment/experiment.js';
import { type CliResult, cli, command, documentOf, exits, PROJECT } from '../support/cli.js';
import { copySmall, keptSmall, namesIn, SMALL_MATRIX, type Small, writeSmall } from '../support/small-matrix.js';

const SPACE = 'query_preparation: { embedding: { provider: local, model: use-lite-512 } }\n';
const ARMS = `  - { name: semantic, retrieval: { strategy: semantic, limit: 5 } }
  - { name: hybrid, retrieval: { strategy: hybrid, limit: 5 } }
  - { name: turns, retrieval: { strategy: semantic, unit: turns, limit: 5 } }
`;
/** The small matrix with arms that search beliefs and turns by vectors. */
const MATRIX = SMALL_MATRIX.replace('providers:', `${SPACE}providers:`).replace('baseline:', `${ARMS}baseline:`);
const REPLAY_ONLY = MATRIX.replace('bank: record-if-missing', 'bank: replay-only');

/** Runs a verb on the small matrix in a process that fails where the embedding model is loaded. */
function withoutModel(small: Small, verb: string, flags: readonly string[] = []): Promise<CliResult> {
  const env = { NODE_OPTIONS: `--require ${join(PROJECT, 'test/support/no-embedding-model.cjs')}` };
  return cli([verb, 'm.yaml', '--out', 'runs', ...flags], { cwd: small.folder, env });
}

let small: Small;
let remove: () => Promise<void>;
let first: CliResult;

beforeAll(async () => {
  ({ small, remove } = await keptSmall());
  await writeFile(small.matrix, MATRIX);
  first = await exits(0, small.run('run', ['--json']));
});
afterAll(() => remove());

const vectorsIn = async (folder: string) => (await namesIn(folder)).filter((name) => name.endsWith('.vectors.bin'));

async function rowsOf(result: RunResult, arm: string): Promise<Observation[]> {
  const text = await readFile(join(result.path, 'arms', arm, 'mill.observations.jsonl'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Observation);
}

/** What vectors decide, less the run. */
const decided = ({ retrieved, answer, attributed, vector_bank, effective_strategy }: Observation) => ({
  retrieved,
  answer,
  attributed,
  vector_bank,
  effective_strategy,
});

describe('vector banks', () => {
  it('VB-1 VB-3 the first run records a bank a unit and says so; the second replays both, embeds nothing, and is equal', async () => {
    const recorded = documentOf(first) as RunResult;
    for (const unit of ['beliefs', 'turns'])
      expect(first.stderr).toMatch(new RegExp(`^mill: no vector bank of its ${unit} yet; recording one$`, 'm'));
    expect(await vectorsIn(small.banks)).toHaveLength(2);
    const replay = await exits(0, withoutModel(small, 'run', ['--json']));
    const replayed = documentOf(replay) as RunResult;
    expect(replay.stderr).not.toMatch(/recording|embedding/);
    const sources = [recorded, replayed].map(({ formation }) => formation[0]?.vectors.map(({ source }) => source));
    expect(sources).toEqual([
      ['recorded', 'recorded'],
      ['replayed', 'replayed'],
    ]);
    expect(await readdir(replayed.path)).not.toContain('vectors');
    const [beliefs, turns] = replayed.formation[0]?.vectors ?? [];
    expect(replayed.formation[0]?.vector_bank).toBe(beliefs?.vector_bank);
    for (const [arm, bank] of [
      ['none', null],
      ['bm25', null],
      ['semantic', beliefs?.vector_bank],
      ['hybrid', beliefs?.vector_bank],
      ['turns', turns?.vector_bank],
    ] as const) {
      const [before, after] = [await rowsOf(recorded, arm), await rowsOf(replayed, arm)];
      expect(after.map(decided)).toEqual(before.map(decided));
      expect(new Set(after.map((row) => row.vector_bank))).toEqual(new Set([bank]));
    }
    // OB-2: an arm is told what its texts and question would take alone, whoever embedded them; three of an arm's turns are its own.
    const rows = await rowsOf(replayed, 'turns');
    expect(rows.every(({ attributed }) => (attributed.query.usage?.input_uncached ?? 0) > 0)).toBe(true);
    expect(rows.every(({ attributed }) => (attributed.index.usage?.input_uncached ?? 0) > 0)).toBe(true);
  });

  it('VB-1 a run that embeds cannot do without the model (control of the test above)', async () => {
    const copy = await copySmall(small, MATRIX);
    for (const name of await vectorsIn(copy.banks)) await rm(join(copy.banks, name));
    const failed = await exits(7, withoutModel(copy, 'record'));
    expect(failed.stderr).toContain('the embedding model was loaded');
    expect(await vectorsIn(copy.banks)).toEqual([]);
  });

  it('VB-1 VB-2 plan, list, show and verify know them', async () => {
    const plan = documentOf(await exits(0, small.run('plan', ['--json']))) as RunPlan;
    expect(plan.embedding.questions).toBe(0);
    expect(plan.blocks[0]?.vectors).toMatchObject([
      { unit: 'beliefs', action: 'replay' },
      { unit: 'turns', action: 'replay' },
    ]);
    const listed = documentOf(await exits(0, command(['bank', 'list', small.banks, '--json']))) as {
      vector_banks: VectorBankDescription[];
    };
    expect(listed.vector_banks.map(({ identity, queries }) => [identity.unit, queries])).toEqual([
      ['beliefs', 3],
      ['turns', 3],
    ]);
    for (const { path, digest, items } of listed.vector_banks) {
      const shown = documentOf(await exits(0, command(['bank', 'show', path, '--json'])));
      expect(shown).toMatchObject({ digest, items });
      const verified = await exits(0, command(['bank', 'verify', path, '--fixture', small.fixture, '--json']));
      expect(documentOf(verified)).toMatchObject({ vector_bank: digest, items, questions: 3, queries: 3 });
    }
  });

  it('VB-3 a question that no bank pins is prepared once, and kept in the run folder for all arms', async () => {
    const copy = await copySmall(small, MATRIX);
    const path = join(copy.fixture, 'questions.jsonl');
    const questions = (await readFile(path, 'utf8')).replace('What colour is the canoe', 'Of what colour is the canoe');
    await writeFile(path, questions);
    const plan = documentOf(await exits(0, copy.run('plan', ['--json']))) as RunPlan;
    expect(plan.embedding.questions).toBe(1);
    const result = documentOf(await exits(0, copy.run('run', ['--json']))) as RunResult;
    expect(result.formation[0]?.vectors.map(({ source }) => source)).toEqual(['replayed', 'replayed']);
    const kept = await readFile(join(result.path, 'vectors', 'mill.queries.jsonl'), 'utf8');
    expect(kept.trimEnd().split('\n')).toHaveLength(1);
    for (const arm of ['semantic', 'hybrid', 'turns'])
      for (const row of await rowsOf(result, arm)) expect(row.lookup_miss).toBeNull();
  });

  it('VB-1 replay-only refuses a missing and a changed bank before a server starts (exit 5), and names it', async () => {
    const copy = await copySmall(small, REPLAY_ONLY);
    const [beliefs] = await vectorsIn(copy.banks);
    const path = join(copy.banks, beliefs as string);
    const bytes = await readFile(path);
    bytes[bytes.length - 1] = (bytes.at(-1) as number) ^ 1;
    await writeFile(path, bytes);
    const changed = await exits(5, copy.run('run', [], { database: 'postgres://nobody@127.0.0.1:1/none' }));
    expect(changed.stderr).toContain('VECTOR_BANK_DIGEST_DIFFERS');
    expect(changed.stderr).toContain(beliefs);
    const listed = await exits(5, command(['bank', 'list', copy.banks]));
    expect(listed.stdout).toContain('VECTOR_BANK_DIGEST_DIFFERS');
    const none = await writeSmall(REPLAY_ONLY.replace('persistence: supersede', 'persistence: append'));
    const missing = await exits(5, none.run('run', ['--bank-directory', copy.banks]));
    expect(missing.stderr).toContain('BANK_NOT_FOUND');
    const noTurns = await copySmall(
      small,
      REPLAY_ONLY.replace('bank: replay-only', 'bank: record-if-missing').replace(
        'providers:',
        'vector_banks: { bank: replay-only, directory: elsewhere }\nproviders:',
      ),
    );
    const absent = await exits(5, noTurns.run('plan'));
    expect(absent.stderr).toMatch(/VECTOR_BANK_NOT_FOUND: no vector bank in \S+elsewhere fits the beliefs of mill/);
  });

  it('VB-1 formation none: `record` records the turns’ vectors alone, and the run replays them under the same bank', async () => {
    const matrix = MATRIX.replace(/formation:\n( {2}.*\n)+/, 'formation: none\n')
      .replace(/^.*name: (bm25|semantic|hybrid).*\n/gm, '')
      .replace('baseline: bm25', 'baseline: turns');
    const none = await writeSmall(matrix);
    await exits(0, none.run('record'));
    expect(await namesIn(none.banks)).toHaveLength(1);
    const turns = (documentOf(first) as RunResult).formation[0]?.vectors[1];
    const result = documentOf(await exits(0, none.run('run', ['--json']))) as RunResult;
    expect(result.formation[0]).toMatchObject({ source: 'none', vectors: [{ unit: 'turns', source: 'replayed' }] });
    // The corpus is the same, so are its turns: the file's bytes do not say when or for which matrix it was recorded.
    expect(result.formation[0]?.vector_bank).toBe(turns?.vector_bank);
  });
});
