import { cp, readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bank } from '../../src/bank/bank.js';
import { statePath } from '../../src/bank/bank-names.js';
import type { VectorBank } from '../../src/bank/vector-bank.js';
import { readVectorBank } from '../../src/bank/vector-bank-folder.js';
import type { Observation, RunPlan, RunResult } from '../../src/experiment/experiment.js';
import { type Expectation, readExpectation } from '../../src/experiment/reproducing/expectation.js';
import { pastRowOf } from '../../src/experiment/reproducing/reproduction.js';
import { type CliResult, cli, documentOf, exits, PROJECT } from '../support/cli.js';
import { keptFolder } from '../support/kept-folder.js';
import { bankIn } from '../support/resealed-bank.js';
import { namesIn } from '../support/small-matrix.js';

const MATRIX = join(PROJECT, 'matrices', 'quickstart.yaml');
const FIXTURES = ['allotment-band', 'harbour-clinic'];
/** With the unseen fixture's. */
const SHIPPED = [...FIXTURES, 'night-train'];
const ARMS = ['none', 'full-history', 'evidence', 'recency', 'full-text', 'bm25', 'semantic', 'hybrid'];

/** All that may differ between two runs of one matrix over one bank (CHECKS 9, 10): the run's id, and what was timed. */
const MAY_DIFFER = ['run', 'timings_ms'];

let folder: string;
let remove: () => Promise<void>;
let first: CliResult;
let second: CliResult;

/** In a copy with an empty bank folder; then in a second copy, in another zone, locale and working folder, its folders made in another order. */
beforeAll(async () => {
  ({ path: folder, remove } = await keptFolder());
  const [one, two] = [join(folder, 'one'), join(folder, 'two')];
  await copyProject(one, FIXTURES);
  const args = ['run', '../matrices/quickstart.yaml', '--out', '../runs', '--json'];
  first = await exits(0, cli(args, { cwd: join(one, 'matrices'), env: { TZ: 'UTC', LANG: 'C' } }));
  await copyProject(two, [...FIXTURES].reverse());
  await cp(join(one, 'banks'), join(two, 'banks'), { recursive: true });
  const elsewhere = { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' };
  second = await exits(0, cli(args, { cwd: join(two, 'fixtures'), env: elsewhere }));
});
afterAll(() => remove());

describe('the quickstart, with an empty bank folder', () => {
  it('FB-1 FB-4 the first run says that it records, the second that it replays; both have one bank and one state a fixture', () => {
    const runs = [first, second].map((result) => documentOf(result) as RunResult);
    for (const fixture of FIXTURES) {
      expect(first.stderr).toMatch(new RegExp(`^${fixture}: no bank of this history yet; recording one$`, 'm'));
      expect(second.stderr).toMatch(
        new RegExp(`^${fixture}: replaying bank [0-9a-f]{12} \\(\\d+ calls, nothing sent\\)$`, 'm'),
      );
    }
    expect(first.stderr).not.toContain('replaying bank');
    expect(second.stderr).not.toContain('recording');
    expect(runs.map(({ formation }) => formation.map(({ fixture, source }) => `${fixture} ${source}`))).toEqual([
      FIXTURES.map((fixture) => `${fixture} recorded`),
      FIXTURES.map((fixture) => `${fixture} replayed`),
    ]);
    const [one, two] = runs.map(({ formation }) => formation.map(({ bank, state, calls }) => ({ bank, state, calls })));
    expect(one).toEqual(two);
    expect(new Set(one?.map(({ state }) => state)).size).toBe(FIXTURES.length);
  });

  it('FB-17 ST-1 RT-1 OB-4 every arm passes the gate, answers every question, and the arms differ', () => {
    const { arms, status, ledger } = documentOf(second) as RunResult;
    expect(status).toBe('complete');
    expect(ledger).toMatchObject({ spent_nano_usd: 0, held_nano_usd: 0 });
    expect(arms.map(({ arm }) => arm)).toEqual(ARMS);
    for (const arm of arms) {
      expect(arm).toMatchObject({ parity: 'equal', status: 'complete', degraded: false, actual_nano_usd: 0 });
      expect(arm.answered).toBe(arm.questions);
      expect(arm.questions).toBeGreaterThanOrEqual(60);
    }
    const f1 = new Map(arms.map(({ arm, scores }) => [arm, scores['token-f1']]));
    expect(f1.get('evidence')).toBeGreaterThan(f1.get('none') ?? 1);
    expect(new Set(f1.values()).size).toBeGreaterThanOrEqual(6);
  });

  it('CHECKS-9 OB-5 observations of both runs are equal but for the listed fields, in another zone, locale, folder and order', async () => {
    const paths = (documentOf(first) as RunResult).path;
    const other = (documentOf(second) as RunResult).path;
    const [before, after] = [await rows(paths), await rows(other)];
    expect(before.size).toBe(ARMS.length * FIXTURES.length);
    expect([...after.keys()]).toEqual([...before.keys()]);
    for (const [name, lines] of before) expect(after.get(name)?.map(masked)).toEqual(lines.map(masked));
    // Control: the listed fields do differ, so that two runs were compared, and nothing else was masked.
    const [line] = [...before.values()][0] ?? [];
    const [counterpart] = [...after.values()][0] ?? [];
    expect(line?.run).not.toBe(counterpart?.run);
    expect(line?.timings_ms).not.toEqual(counterpart?.timings_ms);
    expect(Object.keys(line ?? {}).length).toBeGreaterThan(25);
  });

  it('CHECKS-9 states, requests and scores of both runs are the same bytes', async () => {
    const [one, two] = [documentOf(first) as RunResult, documentOf(second) as RunResult];
    for (const part of ['state', 'requests']) {
      const [before, after] = [await texts(join(one.path, part)), await texts(join(two.path, part))];
      expect(before.size).toBeGreaterThan(1);
      expect(after).toEqual(before);
    }
    expect(two.arms).toEqual(one.arms);
  });
});

const HOW =
  'formation or embedding changed since the shipped banks were recorded; record them anew: rm -f banks/* && for m in quickstart unseen; do npm run recall-matrix -- record matrices/$m.yaml; done; then, for each bank, recall-matrix bank expect DIGEST --matrix ...';

describe('the shipped banks', () => {
  /** The quickstart's were recorded above. */
  beforeAll(async () => {
    const flags = ['--bank-directory', join(folder, 'one', 'banks'), '--out', join(folder, 'records')];
    await exits(0, cli(['record', join(PROJECT, 'matrices', 'unseen.yaml'), ...flags]));
  });

  it('FB-2 are of these fixtures and no others', async () => {
    const fixtures = (await namesIn(join(PROJECT, 'banks'))).map((name) =>
      name.replace(/(-beliefs)?-[0-9a-f]{12}\..*$/, ''),
    );
    expect([...new Set(fixtures)], HOW).toEqual(SHIPPED);
  });

  it.each(SHIPPED)(
    'FB-2 the shipped bank of %s is what this build records: identity, every call and the state',
    async (fixture) => {
      const shipped = join(PROJECT, 'banks');
      const there = (await namesIn(shipped)).filter(
        (name) => name.startsWith(`${fixture}-`) && name.endsWith('.bank.json'),
      );
      expect(there, HOW).toHaveLength(1);
      const [ours, theirs] = [await bankIn(join(folder, 'one', 'banks'), fixture), await bankIn(shipped, fixture)];
      expect(withoutRecording(theirs.bank), HOW).toEqual(withoutRecording(ours.bank));
      expect(await readFile(statePath(theirs.path), 'utf8'), HOW).toBe(await readFile(statePath(ours.path), 'utf8'));
    },
  );
});

describe('the shipped vector banks', () => {
  it.each(SHIPPED)(
    'VB-1 the vectors of %s are what this build embeds: of the same texts, in the same space',
    async (fixture) => {
      const [ours, theirs] = await Promise.all(
        [join(folder, 'one', 'banks'), join(PROJECT, 'banks')].map((banks) => vectorsOf(banks, fixture)),
      );
      const { values: _values, digest: _digest, ...header } = (ours as VectorBank).header;
      expect((theirs as VectorBank).header, HOW).toMatchObject(header);
      // Bytes are equal on one machine; another processor may round otherwise.
      for (const [text, vector] of valuesOf(ours as VectorBank)) {
        const shipped = valuesOf(theirs as VectorBank).get(text) as Float32Array;
        expect(Math.max(...vector.map((value, index) => Math.abs(value - (shipped[index] as number))))).toBeLessThan(
          1e-5,
        );
      }
    },
  );

  it('VB-1 VB-3 the first run of a clone replays them all: every question is pinned', async () => {
    for (const matrix of ['quickstart', 'unseen']) {
      const plan = documentOf(
        await exits(0, cli(['plan', join(PROJECT, 'matrices', `${matrix}.yaml`), '--json'])),
      ) as RunPlan;
      expect(plan.embedding.questions, HOW).toBe(0);
      for (const { bank, vectors } of plan.blocks) {
        expect([bank, vectors.map(({ action }) => action)], HOW).toEqual(['replay', ['replay']]);
      }
    }
  });
});

/** The one vector bank of a fixture. */
async function vectorsOf(banks: string, fixture: string): Promise<VectorBank> {
  const names = (await namesIn(banks)).filter(
    (name) => name.startsWith(`${fixture}-`) && name.endsWith('.vectors.bin'),
  );
  expect(names, HOW).toHaveLength(1);
  return readVectorBank(join(banks, names[0] as string));
}

/** Vectors of items and questions, by the digest of their texts. */
function valuesOf({ items, queries }: VectorBank): Map<string, Float32Array> {
  return new Map([...items, ...[...queries].map(([text, { vector }]) => [text, vector] as const)]);
}

describe('the shipped expectations', () => {
  it.each(FIXTURES)(
    'RP-1 what lies beside the shipped bank of %s is what this build retrieves and shows, question by question',
    async (fixture) => {
      const { path, bank } = await bankIn(join(PROJECT, 'banks'), fixture);
      const expectation = (await readExpectation(path, bank.digest)) as Expectation;
      const found = await rows((documentOf(second) as RunResult).path);
      expect(
        expectation?.arms.map(({ arm }) => arm),
        HOW,
      ).toEqual(ARMS);
      for (const { arm, load, questions } of expectation.arms) {
        const own = (found.get(join(arm, `${fixture}.observations.jsonl`)) ?? []) as unknown as Observation[];
        expect(new Set(own.map((row) => row.load)), HOW).toEqual(new Set([load]));
        const now = own.map(pastRowOf).map(({ row: _row, ...digests }) => digests);
        expect(now, `${arm}: ${HOW}`).toEqual(questions);
      }
    },
  );
});

/** The quickstart's matrix and fixtures, as they stand beside each other in the project; no banks. */
async function copyProject(target: string, fixtures: readonly string[]): Promise<void> {
  for (const fixture of fixtures) {
    await cp(join(PROJECT, 'fixtures', fixture), join(target, 'fixtures', fixture), { recursive: true });
  }
  await cp(MATRIX, join(target, 'matrices', 'quickstart.yaml'));
}

/** A bank but for when it was recorded, and the digest that covers that. */
function withoutRecording({ recorded_at: _at, digest: _digest, ...rest }: Bank): object {
  return rest;
}

type Row = Readonly<Record<string, unknown>>;

function masked(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([key]) => !MAY_DIFFER.includes(key)));
}

/** Observations by file, in the order of names. */
async function rows(run: string): Promise<Map<string, Row[]>> {
  const files = await texts(join(run, 'arms'));
  return new Map(
    [...files].map(([name, text]) => [
      name,
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Row),
    ]),
  );
}

/** Every file's text under a folder, by its path there. */
async function texts(under: string): Promise<Map<string, string>> {
  const entries = await readdir(under, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const read = paths.sort().map(async (path) => [relative(under, path), await readFile(path, 'utf8')] as const);
  return new Map(await Promise.all(read));
}
