import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { statePath } from '../../src/bank/bank-names.js';
import { shortDigest } from '../../src/core/digest.js';
import type { RunPlan, RunResult } from '../../src/experiment/experiment.js';
import { documentOf, exits } from '../support/cli.js';
import { bankIn, reseal } from '../support/resealed-bank.js';
import {
  copySmall,
  editFile,
  keptSmall,
  namesIn,
  SMALL_CALLS,
  SMALL_MATRIX,
  type Small,
} from '../support/small-matrix.js';

const REPLAY_ONLY = SMALL_MATRIX.replace('bank: record-if-missing', 'bank: replay-only');
const pinned = (digest: string): string =>
  SMALL_MATRIX.replace('bank: record-if-missing', `bank: record-if-missing\n  pinned: { mill: "${digest}" }`);

/** Recorded once; each test works on a copy. */
let recorded: Small;
let removeRecorded: () => Promise<void>;

beforeAll(async () => {
  ({ small: recorded, remove: removeRecorded } = await keptSmall());
  await exits(0, recorded.run('record'));
});
afterAll(() => removeRecorded());

/** Replaces one byte of a file. */
async function changeByte(path: string, at: (bytes: Buffer) => number): Promise<void> {
  const bytes = await readFile(path);
  const place = at(bytes);
  bytes[place] = (bytes[place] as number) ^ 1;
  await writeFile(path, bytes);
}

describe('a bank that was changed', () => {
  it.each([
    ['in a completion', (bytes: Buffer) => bytes.indexOf('canoe')],
    ['in its digest', (bytes: Buffer) => bytes.indexOf('"digest":"sha256:') + 20],
    ['at its end', (bytes: Buffer) => bytes.length - 1],
  ])('FB-14 a byte %s: every verb that reads it exits 5, naming the file and what to do', async (_title, at) => {
    const small = await copySmall(recorded);
    const { path } = await bankIn(small.banks, 'mill');
    await changeByte(path, at);
    for (const verb of ['plan', 'run']) {
      const result = await exits(5, small.run(verb));
      expect(result.stdout).toBe('');
      expect(result.stderr).toMatch(/BANK_[A-Z_]+: .*\n {2}remedy: /);
      expect(result.stderr).toContain(path);
    }
    expect(await namesIn(small.runs)).toEqual([]);
    expect(await namesIn(small.banks)).toHaveLength(2);
  });

  it('FB-14 ST-4 a byte of the state beside it: exit 5, naming that file; no arm is asked', async () => {
    const small = await copySmall(recorded);
    const { path } = await bankIn(small.banks, 'mill');
    await changeByte(statePath(path), (bytes) => bytes.indexOf('canoe'));
    const result = await exits(5, small.run('run', ['--json']));
    expect(result.stderr).toContain('BANK_STATE_CHANGED');
    expect(result.stderr).toContain(statePath(path));
    const document = documentOf(result) as RunResult;
    expect(document).toMatchObject({ status: expect.stringMatching(/incomplete|refused/), ledger: { sends: 0 } });
    expect(document.formation).toMatchObject([{ fixture: 'mill', source: 'failed', bank: null }]);
    expect(document.arms.map(({ answered, parity }) => ({ answered, parity }))).toEqual([
      { answered: 0, parity: 'not-reached' },
      { answered: 0, parity: 'not-reached' },
    ]);
  });

  it('control: the copy, unchanged, replays', async () => {
    const small = await copySmall(recorded, REPLAY_ONLY);
    const document = documentOf(await exits(0, small.run('run', ['--json']))) as RunResult;
    expect(document.formation).toMatchObject([{ source: 'replayed', calls: SMALL_CALLS }]);
  });
});

/** A way in which the bank in the folder is another's, and how the difference is named. */
const FOREIGN: readonly {
  readonly what: string;
  readonly differs: string;
  readonly matrix?: (text: string) => string;
  readonly make?: (small: Small) => Promise<unknown>;
}[] = [
  {
    what: 'another history',
    differs: 'corpus',
    make: (small) =>
      appendFile(
        join(small.fixture, 'history.jsonl'),
        '{"kind":"turn","id":"d:1","session":"s3","at":"2024-02-05T08:00:00","speaker":"Ilse","text":"I sold it.","sensitivity":"public"}\n',
      ),
  },
  {
    what: 'another owner',
    differs: 'owner.principal',
    make: (small) => editFile(join(small.fixture, 'fixture.yaml'), 'principal: mill', 'principal: miller'),
  },
  {
    what: 'another policy',
    differs: 'policy',
    make: (small) => reseal(small.banks, 'mill', { identity: (identity) => ({ ...identity, policy: 'facts@0' }) }),
  },
  {
    what: 'another profile',
    differs: 'profile.parameters',
    matrix: (text) => text.replace('extractive-facts-1 }', 'extractive-facts-1, max_output_tokens: 2048 }'),
  },
  {
    what: 'another persistence mode',
    differs: 'persistence',
    matrix: (text) => text.replace('persistence: supersede', 'persistence: append'),
  },
  {
    what: 'another implementation',
    differs: 'implementation',
    make: (small) =>
      reseal(small.banks, 'mill', {
        identity: (identity) => ({ ...identity, implementation: `sha256:${'0'.repeat(64)}` }),
      }),
  },
];

describe('a bank of something else', () => {
  it.each(FOREIGN)(
    'FB-2 FB-12 $what: replay-only and pinned exit 5, naming $differs; nothing is made',
    async (foreign) => {
      const { matrix = (text: string) => text, make, differs } = foreign;
      const small = await copySmall(recorded, matrix(REPLAY_ONLY));
      await make?.(small);
      const { bank } = await bankIn(small.banks, 'mill');
      const replayOnly = await exits(5, small.run('run'));
      expect(replayOnly.stderr).toMatch(/BANK_NOT_FOUND: .*\n {2}remedy: set `formation.bank` to `record-if-missing`/);
      expect(replayOnly.stderr).toMatch(new RegExp(`${shortDigest(bank.digest)} differs in ${differs}`));

      await writeFile(small.matrix, matrix(pinned(bank.digest)));
      const pin = await exits(5, small.run('run'));
      expect(pin.stderr).toMatch(new RegExp(`BANK_PINNED_DIFFERS: .*${differs}`));
      expect(await namesIn(small.runs)).toEqual([]);
      expect(await namesIn(small.banks)).toHaveLength(2);
    },
  );

  it.each(FOREIGN)('FB-2 $what: record-if-missing names $differs before it records', async (foreign) => {
    const { matrix = (text: string) => text, make, differs } = foreign;
    const small = await copySmall(recorded, matrix(SMALL_MATRIX));
    await make?.(small);
    const result = await exits(0, small.run('record'));
    const told = result.stderr.search(new RegExp(`^mill: no bank fits, recording one .*differs in ${differs}`, 'm'));
    expect(told).toBeGreaterThanOrEqual(0);
    expect(result.stderr.indexOf('recording mill: 1/')).toBeGreaterThan(told);
    expect(await namesIn(small.banks)).toHaveLength(4);
  });

  it('MX-6 FB-12 plan names the nearest bank and what differs; once recorded, it plans the replay', async () => {
    const small = await copySmall(recorded, SMALL_MATRIX.replace('persistence: supersede', 'persistence: append'));
    const { bank } = await bankIn(small.banks, 'mill');
    const before = documentOf(await exits(0, small.run('plan', ['--json']))) as RunPlan;
    expect(before.blocks).toMatchObject([
      { bank: 'record', nearest: [{ digest: bank.digest, differs: ['persistence'] }] },
    ]);
    await exits(0, small.run('run'));
    const after = documentOf(await exits(0, small.run('plan', ['--json']))) as RunPlan;
    expect(after.blocks).toMatchObject([{ bank: 'replay', nearest: [] }]);
  });

  it('MX-5 a pin that is not there: exit 5, naming it; the right pin replays', async () => {
    const { bank } = await bankIn(recorded.banks, 'mill');
    const missing = `sha256:${'1'.repeat(64)}`;
    const small = await copySmall(recorded, pinned(missing));
    const result = await exits(5, small.run('run'));
    expect(result.stderr).toMatch(new RegExp(`BANK_PINNED_MISSING: .*${missing}`));
    await writeFile(small.matrix, pinned(bank.digest));
    await exits(0, small.run('run'));
  });

  it('FB-10 record-only refuses what is there, exit 5', async () => {
    const small = await copySmall(recorded, SMALL_MATRIX.replace('record-if-missing', 'record-only'));
    expect((await exits(5, small.run('record'))).stderr).toMatch(/BANK_EXISTS: .*\n {2}remedy: /);
  });
});
