import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { systemProcesses } from '../../src/core/process-mark.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const PROJECT = join(import.meta.dirname, '../..');

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Night {
  readonly outcome: string;
  readonly exit_code: number;
  readonly run: string | null;
  readonly said: readonly string[];
}

interface Artefacts {
  pointer(name: 'last-good' | 'anchor'): string | null;
}

const load = async <T>(name: string): Promise<T> =>
  (await import(pathToFileURL(join(PROJECT, 'scripts/nightly', name)).href)) as T;

/** Nights whose command says what the test tells it to. */
async function nights() {
  const { night } = await load<{ night(options: unknown, world: unknown): Promise<Night> }>('night.mjs');
  const module = await load<{ Artefacts: new (folder: string) => Artefacts }>('artefacts.mjs');
  const folder = await temporaryFolder();
  const artefacts = new module.Artefacts(folder);
  const calls: (readonly string[])[] = [];
  let [count, seconds] = [0, 0];

  /** One night: how `run` ends, and how each `compare` does. */
  async function one(run: number, compares: readonly number[] = [], changes: object = {}): Promise<Night> {
    count += 1;
    seconds += 1;
    const id = `r-${count}`;
    const left = [...compares];
    const command = async (args: readonly string[]): Promise<Ended> => {
      calls.push(args);
      if (args[0] === 'compare') {
        const code = left.shift() ?? 0;
        const gates = [{ sentence: `gate ends with ${code}` }];
        return {
          code,
          stdout: JSON.stringify({ format: 'comparison@1', gates }),
          stderr: code === 2 ? 'CORPUS_DIFFERS' : '',
        };
      }
      if (args[0] !== 'run') return { code: 0, stdout: '', stderr: '' };
      if (![0, 7].includes(run)) return { code: run, stdout: '{"format":"error@1"}', stderr: 'why' };
      const path = join(folder, 'runs', id);
      await mkdir(path);
      await writeFile(join(path, 'run.json'), '{}');
      return { code: run, stdout: JSON.stringify({ format: 'run-result@1', path }), stderr: run === 0 ? '' : 'lost' };
    };
    return night(
      {
        matrix: 'm.yaml',
        failIf: ['token-f1 < -0.02'],
        gateScope: 'these',
        maxProviderErrors: '0.05',
        keep: 3,
        maxOutages: 3,
        beginAnew: false,
        report: false,
        runFlags: [],
        compareFlags: [],
        ...changes,
      },
      { command, artefacts, now: () => new Date(Date.UTC(2026, 4, 1, 2, 0, seconds)).toISOString() },
    );
  }
  return { folder, artefacts, calls, one };
}

describe('RP-4 the nightly script', () => {
  it('RP-4 the first night is held against nothing and is the last good run; a pass moves it', async () => {
    const { one, artefacts, calls } = await nights();
    expect(await one(0)).toMatchObject({ outcome: 'first', exit_code: 0, run: 'r-1' });
    expect(artefacts.pointer('last-good')).toBe('r-1');
    expect(await one(0, [0])).toMatchObject({ outcome: 'passed', exit_code: 0, said: ['last good: gate ends with 0'] });
    expect(artefacts.pointer('last-good')).toBe('r-2');
    expect(calls.at(-1)?.slice(0, 3)).toEqual(['compare', 'r-1', 'r-2']);
    expect(calls.at(-1)?.join(' ')).toContain(
      '--fail-if token-f1 < -0.02 --gate-scope these --max-provider-errors 0.05',
    );
  });

  it('RP-4 a regression fails the job, and the last good run stays what it was', async () => {
    const { one, artefacts, calls } = await nights();
    await one(0);
    expect(await one(0, [3])).toMatchObject({ outcome: 'regression', exit_code: 3 });
    expect(artefacts.pointer('last-good')).toBe('r-1');
    await one(0, [0]);
    expect(calls.at(-1)?.slice(0, 3)).toEqual(['compare', 'r-1', 'r-3']);
  });

  it('RP-4 an outage fails nothing and moves nothing; from the third in a row on it fails', async () => {
    const { one, artefacts } = await nights();
    await one(0);
    // Rows lost, but few: the comparison says whether that is too many.
    expect(await one(7, [0])).toMatchObject({ outcome: 'passed', exit_code: 0 });
    expect(await one(7, [7])).toMatchObject({ outcome: 'outage', exit_code: 0 });
    expect(await one(8)).toMatchObject({ outcome: 'outage', exit_code: 0, run: null });
    const third = await one(7, [7]);
    expect(third).toMatchObject({ outcome: 'outage', exit_code: 7 });
    expect(third.said.at(-1)).toContain('night 3 in a row that says nothing');
    expect(artefacts.pointer('last-good')).toBe('r-2');
    expect(await one(0, [0])).toMatchObject({ outcome: 'passed', exit_code: 0 });
    expect(await one(7, [7])).toMatchObject({ outcome: 'outage', exit_code: 0 });
  });

  it('RP-4 a first night with an outage is no last good run', async () => {
    const { one, artefacts } = await nights();
    expect(await one(7)).toMatchObject({ outcome: 'outage', exit_code: 0 });
    expect(artefacts.pointer('last-good')).toBeNull();
  });

  it.each([1, 2, 4, 5, 6, 130])(
    'RP-4 a run that ends with %i fails the job with it, and is held against nothing',
    async (code) => {
      const { one, artefacts, calls } = await nights();
      await one(0);
      expect(await one(code)).toMatchObject({ outcome: 'failed', exit_code: code });
      expect(calls.at(-1)?.[0]).toBe('run');
      expect(artefacts.pointer('last-good')).toBe('r-1');
    },
  );

  it('RP-4 runs that may not be compared refuse, and the night says how to begin anew', async () => {
    const { one, artefacts } = await nights();
    await one(0);
    const refused = await one(0, [2]);
    expect(refused).toMatchObject({ outcome: 'refused', exit_code: 2 });
    expect(refused.said.join('\n')).toContain('CORPUS_DIFFERS');
    expect(refused.said.at(-1)).toContain('--begin-anew');
    expect(artefacts.pointer('last-good')).toBe('r-1');
    expect(await one(0, [], { beginAnew: true })).toMatchObject({ outcome: 'first', exit_code: 0 });
    expect(artefacts.pointer('last-good')).toBe('r-3');
  });

  it('RP-4 a pinned anchor catches a slow fall that each night alone passes', async () => {
    const { one, artefacts, folder, calls } = await nights();
    await one(0);
    await writeFile(join(folder, 'anchor'), 'r-1\n');
    await one(0, [0, 0]);
    expect(await one(0, [0, 3])).toMatchObject({ outcome: 'regression', exit_code: 3 });
    expect(calls.slice(-2).map((args) => args.slice(0, 3))).toEqual([
      ['compare', 'r-2', 'r-3'],
      ['compare', 'r-1', 'r-3'],
    ]);
    expect(artefacts.pointer('last-good')).toBe('r-2');
    expect((await one(0, [0, 2])).said.at(-1)).toContain('`anchor`');
  });

  it('RP-4 keeps so many nights, and for ever what a pointer names', async () => {
    const { one, folder } = await nights();
    await one(0);
    await writeFile(join(folder, 'anchor'), 'r-1\n');
    for (let n = 0; n < 4; n += 1) await one(0, [0, 3]);
    expect(await readdir(join(folder, 'nights'))).toHaveLength(3);
    expect((await readdir(join(folder, 'runs'))).sort()).toEqual(['r-1', 'r-3', 'r-4', 'r-5']);
    const last = (await readdir(join(folder, 'nights'))).sort().at(-1) as string;
    const told = JSON.parse(await readFile(join(folder, 'nights', last, 'night.json'), 'utf8'));
    expect(told).toMatchObject({
      format: 'night@1',
      run: 'r-5',
      outcome: 'regression',
      exit_code: 3,
      base: 'r-1',
      anchor: 'r-1',
    });
    expect(existsSync(join(folder, 'nights', last, 'comparison.json'))).toBe(true);
  });

  it('RP-4 CL-2 the command line refuses what it cannot do with 2 and its help, and a broken pointer with what to do', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'last-good'), 'gone\n');
    const start = (...args: string[]) => {
      const { status, stderr } = spawnSync(process.execPath, [join(PROJECT, 'scripts/nightly.mjs'), ...args], {
        cwd: PROJECT,
        encoding: 'utf8',
        timeout: 60_000,
      });
      return { status, stderr };
    };
    expect(start('--keep', '0')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--keep and --max-outages'),
    });
    expect(start('--fail')).toMatchObject({ status: 2, stderr: expect.stringContaining('--artefacts FOLDER') });
    expect(start('--help').status).toBe(0);
    const broken = start('--artefacts', folder);
    expect(broken).toMatchObject({ status: 2, stderr: expect.stringContaining('names no run') });
    expect(broken.stderr).toContain('remedy: restore that run folder, or begin anew: add --begin-anew');
    expect(existsSync(join(folder, 'nightly.lock'))).toBe(false);
    const holder = { ...systemProcesses.self(), since: '2026-05-01T02:00:00.000Z' };
    await writeFile(join(folder, 'nightly.lock'), JSON.stringify(holder));
    expect(start('--artefacts', folder)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`process ${holder.pid} on ${holder.host} has kept a night`),
    });
  });

  it.each(['../runs/r-1', 'r-9', ''])(
    'RP-4 RS-4 a pointer that names %j is refused before anything is run',
    async (text) => {
      const { one, folder, calls } = await nights();
      await one(0);
      await writeFile(join(folder, 'last-good'), `${text}\n`);
      await expect(one(0)).rejects.toThrow('names no run');
      expect(calls).toHaveLength(1);
    },
  );

  it('RP-4 killed before the mark is moved, a night has told what it came to, and the next is held against the same base', async () => {
    const { one, folder, artefacts, calls } = await nights();
    await one(0);
    await mkdir(join(folder, 'last-good.tmp'));
    await expect(one(0, [0])).rejects.toThrow();
    const last = (await readdir(join(folder, 'nights'))).sort().at(-1) as string;
    expect(JSON.parse(await readFile(join(folder, 'nights', last, 'night.json'), 'utf8'))).toMatchObject({
      ...{ run: 'r-2', outcome: 'passed' },
    });
    expect(artefacts.pointer('last-good')).toBe('r-1');
    await rmdir(join(folder, 'last-good.tmp'));
    await one(0, [0]);
    expect(calls.at(-1)?.slice(0, 3)).toEqual(['compare', 'r-1', 'r-3']);
  });

  it('RP-4 a mark that is lost does not hide what a night that begins anew came to', async () => {
    const { one, folder } = await nights();
    await one(0);
    await writeFile(join(folder, 'last-good'), 'r-9\n');
    expect(await one(7, [], { beginAnew: true })).toMatchObject({ outcome: 'outage', exit_code: 0 });
    expect(await one(6, [], { beginAnew: true })).toMatchObject({ outcome: 'failed', exit_code: 6 });
  });

  it.each([
    [['--gate-scope', 'all'], '--gate-scope is these or new'],
    [['--max-provider-errors', '5'], '--max-provider-errors is a share'],
    [['--artefacts', 'package.json/x y'], 'remedy: name another folder'],
  ])('RP-4 %j is refused before anything is run', (args, said) => {
    const script = join(PROJECT, 'scripts/nightly.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script, ...args, 'm.yaml'], { cwd: PROJECT });
    expect(status).toBe(2);
    expect(String(stderr)).toContain(said);
  });
});
