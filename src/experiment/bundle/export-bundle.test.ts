import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { entriesOf, soundRun } from '../../../test/support/bundles.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { programDigest } from '../program-digest.js';
import { exportBundle } from './export-bundle.js';
import { portableText } from './portable-text.js';
import { verifyBundle } from './verify-bundle.js';

const CAUSE = {
  stage: 'reader',
  kind: 'provider',
  code: 'READER_FAILED',
  remedy: null,
  own_making: true,
} as const;

async function exported(run: string, redactHistory: boolean, environment = {}) {
  const path = join(await temporaryFolder(), 'b.tar.gz');
  await exportBundle(run, { target: path, force: false, redactHistory, environment, databaseUrl: null });
  return path;
}

async function textOf(bundle: string, path: string): Promise<string> {
  const entry = (await entriesOf(bundle)).find((one) => one.path === path);
  return (entry?.bytes ?? Buffer.alloc(0)).toString('utf8');
}

describe('RP-7 exporting a run', () => {
  it('RP-7 says what is not at hand, and is made and verified without it', async () => {
    const bundle = await exported(await soundRun(), false);
    const { missing, not_checked, checked } = await verifyBundle(bundle, null);
    expect(missing.map(({ what }) => what.split(' ')[0])).toContain('bank');
    expect(not_checked.map(({ what }) => what.split(' ')[0])).toContain('bank');
    expect(checked.map(({ what }) => what)).toContain('rows by what they are bound to');
  });

  it('RP-7 names no folder of its machine in messages of failures and problems; a redacted one has no message', async () => {
    const message = `cannot read ${homedir()}/secret notes/x.yaml, nor /srv/data/of/ada.json, see https://example.org/a/b`;
    const problem = { kind: 'provider', code: 'X', message, remedy: message, fixture: null, arm: null } as const;
    const run = await soundRun({
      row: ({ index }) => (index === 0 ? { outcome: { kind: 'failed', cause: { ...CAUSE, message } } } : 1),
      result: { problems: [problem] },
    });
    const rows = 'run/arms/bm25/c1.observations.jsonl';
    const bundle = await exported(run, false);
    for (const path of [rows, 'run/run.json']) {
      const text = await textOf(bundle, path);
      expect(text).toContain('nor …/ada.json, see https://example.org/a/b');
      expect(text).toContain('~/secret');
      expect(text).not.toContain(dirname(run));
      expect(text).not.toContain('/srv/data');
    }
    const redacted = await exported(run, true);
    for (const path of [rows, 'run/run.json']) {
      expect(await textOf(redacted, path)).not.toContain('ada.json');
      expect(await textOf(redacted, path)).toContain('"[redacted]"');
    }
  });

  it('RP-7 RP-6 a run whose rescoring was killed is refused with what ends it: its ledger is ahead of its result', async () => {
    const started_at = '2026-01-01T00:00:00.000Z';
    const session = (finished_at: string | null) => ({ kind: 'rescore' as const, started_at, finished_at });
    const killed = await soundRun({ manifest: { sessions: [session(null)] } });
    await expect(exported(killed, false)).rejects.toMatchObject({
      kind: 'invalid-input',
      code: 'RUN_NOT_FINISHED',
      remedy: expect.stringContaining(`recall-matrix rescore ${killed}`),
    });
    await writeFile(join(killed, 'ledger.jsonl.writer'), '{}');
    await writeFile(
      join(killed, 'run.json'),
      (await readFile(join(killed, 'run.json'), 'utf8')).replace(
        '"finished_at": null',
        `"finished_at": "${started_at}"`,
      ),
    );
    const { missing } = await verifyBundle(await exported(killed, false), null);
    expect(missing.map(({ what }) => what)).not.toContain('run/ledger.jsonl.writer');
  });

  it('RP-7 PR-4 a model that is called by its file is said so in rows and result alike', async () => {
    const program = programDigest();
    const run = await soundRun({
      manifest: { tool: { version: '0.1.0', node: 'v20.0.0', implementation: program, program, packages: {} } },
      row: () => ({ reported_models: ['/srv/models/small.gguf', 'org/model'] }),
    });
    const bundle = await exported(run, false);
    expect((await verifyBundle(bundle, null)).not_checked.map(({ what }) => what).join()).not.toContain('figures');
    for (const path of ['run/arms/bm25/c1.observations.jsonl', 'run/run.json']) {
      const text = await textOf(bundle, path);
      expect(text).toContain('…/small.gguf');
      expect(text).not.toContain('/srv/models');
    }
  });

  it('RP-7 refuses to redact what still says five words of the history in a row, and names the file', async () => {
    const turn = 'The harbour master keeps nine ledgers in a tin.';
    const run = await soundRun({ fixtures: [{ id: 'c1', questions: [{ turn }] }] });
    const yaml = join(dirname(dirname(run)), 'fixtures', 'c1', 'fixture.yaml');
    await writeFile(yaml, (await readFile(yaml, 'utf8')).replace('Conversation c1', 'Keeps NINE ledgers, tin'));
    await exported(run, true);
    await writeFile(yaml, (await readFile(yaml, 'utf8')).replace(', tin', ', in a tin'));
    await expect(exported(run, true)).rejects.toMatchObject({
      code: 'BUNDLE_HOLDS_HISTORY',
      details: { file: expect.stringMatching(/fixture\.yaml$/) },
    });
    await exported(run, false);
  });

  it('RP-7 RS-4 refuses a secret in any file, and what has the shape of one, and names the file', async () => {
    const shape = `sk-proj-${'a1b2c3d4'.repeat(5)}`;
    const run = await soundRun({
      fixtures: [{ id: 'c1', questions: [{ turn: `My key is ${shape}, as ever.` }] }],
    });
    await expect(exported(run, false)).rejects.toMatchObject({
      code: 'BUNDLE_HOLDS_SECRET',
      details: { file: expect.stringMatching(/history\.jsonl$|state/) },
    });
    // What is taken out is not passed on.
    await exported(run, true);
  });

  it('RP-7 names what has no place in a bundle, and leaves it out; the report is nothing that is missed', async () => {
    const run = await soundRun();
    await writeFile(join(run, 'report.html'), '<p>');
    await mkdir(join(run, 'notes'));
    await writeFile(join(run, 'notes', 'n.txt'), 'n');
    await writeFile(join(run, 'run.lock'), '{}');
    const bundle = await exported(run, false);
    const { missing } = await verifyBundle(bundle, null);
    const left = missing.map(({ what }) => what).filter((what) => what.startsWith('run/'));
    expect(left).toEqual(['run/notes/n.txt']);
    expect((await entriesOf(bundle)).some(({ path }) => /report|notes|lock/.test(path))).toBe(false);
  });
});

it('RP-7 a text without the paths of a machine keeps what is no path', () => {
  const say = portableText([
    ['/', 'root'],
    ['/home/ada', '~'],
    ['/home/ada/runs/r1', 'run'],
  ]);
  expect(say('/home/ada/runs/r1/ledger.jsonl of /home/ada/x')).toBe('run/ledger.jsonl of ~/x');
  expect(say("open '/var/lib/x/y.json': ENOENT")).toBe("open '…/y.json': ENOENT");
  expect(say("Cannot find module 'file:///opt/ada/x.mjs' of file:///home/ada/y.mjs:3")).toBe(
    "Cannot find module '…/x.mjs' of ~/y.mjs:3",
  );
  // A folder is no other that begins as it does, nor a part of an address or of a name.
  expect(say('/home/adam/x, http://h/home/ada/v1, org/home/ada/m, in /home/ada.')).toBe(
    '…/x, http://h/home/ada/v1, org/home/ada/m, in ~.',
  );
  expect(say('and/or 1/2 https://a.org/b/c a/b/c ./d/e')).toBe('and/or 1/2 https://a.org/b/c a/b/c ./d/e');
});
