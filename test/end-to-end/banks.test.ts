import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Bank } from '../../src/bank/bank.js';
import type { BankDescription, BankListDocument } from '../../src/experiment/experiment.js';
import { command, documentOf, exits, startCli } from '../support/cli.js';
import { bankIn } from '../support/resealed-bank.js';
import { namesIn, SMALL_CALLS, SMALL_MATRIX, type Small, writeFixture, writeSmall } from '../support/small-matrix.js';

/** Enough calls that a recording can be met in the middle. */
const LONG_CALLS = 90;
/** Lines of the pending journal after which it is killed: the header, and the reservations and completions of two calls. */
const LINES_BEFORE_KILL = 5;
const POLL_MS = 2;

describe('a recording killed in the middle', () => {
  it('FB-9 exit 5 names the journal and the commands; they work as printed; then it records', async () => {
    const small = await writeSmall();
    await writeFixture(join(small.folder, 'fixtures'), 'mill', longHistory());
    const journal = await killMidway(small);

    for (const verb of ['run', 'record', 'plan']) {
      const refused = await exits(5, small.run(verb));
      expect(refused.stdout).toBe('');
      expect(refused.stderr).toMatch(
        /BANK_RECORDING_INTERRUPTED: an interrupted recording of mill stands at \d+ completions/,
      );
      expect(refused.stderr).toContain(journal);
    }
    const commands = printedCommands((await exits(5, small.run('run'))).stderr);
    expect(commands.map(([, verb, file]) => [verb, file])).toEqual([
      ['continue', journal],
      ['abandon', journal],
    ]);

    const listed = await listing(small);
    expect(listed).toMatchObject({
      banks: [],
      failed: [],
      broken: [],
      pending: [{ path: journal, status: 'interrupted' }],
    });
    const { reserved, completed } = listed.pending[0] ?? { reserved: 0, completed: 0 };
    expect(completed).toBeGreaterThanOrEqual(2);
    expect(reserved - completed).toBeLessThanOrEqual(1);

    const moved = documentOf(await exits(0, command([...(commands[1] as string[]), '--json'])));
    expect(moved).toEqual({
      format: 'bank-abandonment@1',
      journal,
      reason: '...',
      moved_to: expect.stringMatching(/\/failed\/mill-[0-9a-f]{12}-1\.jsonl$/),
    });
    expect(await listing(small)).toMatchObject({
      banks: [],
      pending: [],
      failed: [{ status: 'failed', reason: '...', completed, reserved }],
    });
    expect((await exits(0, command(['bank', 'list', small.banks]))).stdout).toMatch(
      /^failed: .*-1\.jsonl .*: \.\.\.$/m,
    );

    await exits(0, small.run('record'));
    expect(await listing(small)).toMatchObject({ banks: [{ calls: LONG_CALLS }], pending: [], failed: [{}] });
  });
});

describe('bank', () => {
  it('FB-15 list, show and verify tell digest, identity, calls, attempts, usage, cost, state and size', async () => {
    const small = await writeSmall();
    await exits(0, small.run('record'));
    const { path, bank } = await bankIn(small.banks, 'mill');
    const bytes = (await readFile(path)).byteLength;
    const description: BankDescription = {
      format: 'bank-description@1',
      path,
      digest: bank.digest,
      bytes,
      identity: bank.identity,
      calls: SMALL_CALLS,
      attempts: SMALL_CALLS,
      usage: expect.objectContaining({ output: expect.any(Number) }),
      attributed_nano_usd: null,
      reported_models: reportedModels(bank),
      state: bank.state,
      continues: null,
      recorded_at: bank.recorded_at,
    };
    expect(await listing(small)).toEqual({
      format: 'bank-list@1',
      path: small.banks,
      banks: [description],
      vector_banks: [],
      pending_vectors: [],
      pending: [],
      failed: [],
      broken: [],
    });
    expect(documentOf(await exits(0, command(['bank', 'show', path, '--json'])))).toEqual(description);

    const shown = (await exits(0, command(['bank', 'show', path]))).stdout;
    for (const fact of [
      bank.digest,
      bank.identity.corpus,
      bank.identity.implementation,
      bank.state.digest,
      `${bytes} bytes`,
      'unpriced',
    ])
      expect(shown).toContain(fact);

    const prices = join(small.folder, 'prices.yaml');
    await writeFile(prices, PRICES);
    const priced = documentOf(
      await exits(0, command(['bank', 'show', path, '--prices', prices, '--json'])),
    ) as BankDescription;
    const { input_uncached: input = 0, output = 0 } = priced.usage ?? {};
    expect(input).toBeGreaterThan(0);
    // A dollar and two a million tokens: a thousand and two thousand nano-dollars each.
    expect(priced.attributed_nano_usd).toBe(input * 1000 + output * 2000);

    const verify = ['bank', 'verify', path, '--fixture', small.fixture];
    expect(documentOf(await exits(0, command([...verify, '--json'])))).toEqual({
      format: 'bank-verification@1',
      bank: bank.digest,
      fixture: 'mill',
      calls: SMALL_CALLS,
      state: bank.state.digest,
      beliefs: bank.state.beliefs,
      people: bank.state.people,
    });
    expect((await exits(0, command(verify))).stdout).toContain(`${bank.state.digest} is equal`);
  });

  it('FB-15 list passes by what is no bank, lists what is broken and exits 5, and refuses a folder that is not there', async () => {
    const small = await writeSmall();
    expect((await exits(2, command(['bank', 'list', small.banks]))).stderr).toContain('PATH_MISSING');
    await exits(0, small.run('record'));
    await writeFile(join(small.banks, 'notes.txt'), 'mine');
    expect(await listing(small)).toMatchObject({ banks: [{ calls: SMALL_CALLS }], broken: [] });
    const bad = join(small.banks, 'mill-0123456789ab.bank.json');
    await writeFile(bad, '{}\n');
    expect(documentOf(await exits(5, command(['bank', 'list', small.banks, '--json'])))).toMatchObject({
      banks: [{ calls: SMALL_CALLS }],
      broken: [{ path: bad, code: expect.stringMatching(/^BANK_/) }],
    });
    expect((await exits(5, command(['bank', 'show', bad]))).stderr).toMatch(/BANK_[A-Z_]+: .*\n {2}remedy: /);
    expect(
      (await exits(2, command(['bank', 'abandon', join(small.banks, 'none.pending.jsonl'), '--reason', 'x']))).stderr,
    ).toContain('JOURNAL_NOT_FOUND');
  });

  it('FB-15 verify refuses another history, exit 5, naming what differs', async () => {
    const small = await writeSmall(SMALL_MATRIX);
    await exits(0, small.run('record'));
    const { path } = await bankIn(small.banks, 'mill');
    await writeFixture(join(small.folder, 'fixtures'), 'mill', longHistory());
    const refused = await exits(5, command(['bank', 'verify', path, '--fixture', small.fixture]));
    expect(refused.stderr).toMatch(/BANK_IDENTITY_DIFFERS: .*corpus\n {2}remedy: name the fixture/);
  });
});

const PRICES = `format: prices@1
entries:
  - { model: extractive-facts-1, as_of: 2026-11-01, input: "1", output: "2" }
`;

function reportedModels({ calls }: Bank): string[] {
  return [...new Set(calls.flatMap(({ reported_model: name }) => (name === null ? [] : [name])))];
}

async function listing(small: Small): Promise<BankListDocument> {
  return documentOf(await exits(0, command(['bank', 'list', small.banks, '--json']))) as BankListDocument;
}

/** Starts a recording and kills it once its journal has so many lines. */
async function killMidway(small: Small): Promise<string> {
  const { child, ended } = startCli(['record', 'm.yaml', '--out', 'runs'], { cwd: small.folder });
  let isOver = false;
  void ended.finally(() => {
    isOver = true;
  });
  const journal = await journalWithLines(small, () => isOver);
  child.kill('SIGKILL');
  const { signal, stderr } = await ended;
  if (journal === null || signal !== 'SIGKILL') throw new Error(`the recording was not met in the middle: ${stderr}`);
  expect(await namesIn(small.banks)).toEqual([basename(journal)]);
  return journal;
}

/** @returns null where the recording ended first. */
async function journalWithLines(small: Small, isOver: () => boolean): Promise<string | null> {
  for (; !isOver(); await wait(POLL_MS)) {
    const name = (await namesIn(small.banks)).find((candidate) => candidate.endsWith('.pending.jsonl'));
    const path = join(small.banks, name ?? '');
    if (name !== undefined && (await readFile(path, 'utf8')).split('\n').length > LINES_BEFORE_KILL) return path;
  }
  return null;
}

/** The command lines in a remedy, as a shell would split them. */
function printedCommands(stderr: string): string[][] {
  const remedy = stderr.slice(stderr.indexOf('\n  remedy: '));
  return [...remedy.matchAll(/^ +recall-matrix (bank .*)$/gm)].map(([, line = '']) =>
    [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? ''),
  );
}

function longHistory(): string[] {
  return Array.from({ length: LONG_CALLS }, (_, index) =>
    JSON.stringify({
      kind: 'turn',
      id: index === 1 ? 'b:1' : index === 2 ? 'b:2' : `t:${index}`,
      session: `s${index}`,
      at: `2024-01-0${1 + Math.floor(index / 60)}T10:${String(index % 60).padStart(2, '0')}:00`,
      speaker: index % 2 === 0 ? 'Ilse' : 'Marek',
      text: `I bought ${index + 2} apples at the market by the old bridge.`,
      sensitivity: 'internal',
    }),
  );
}
