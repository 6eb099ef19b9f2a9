import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { bundleEntry, copyPostgresPackages, giveTo } from '../../../test/support/bundle.js';
import { systemClock } from '../../core/clock.js';
import { isRunning } from '../../core/process-mark.js';
import { probePostgres } from '../doctor.js';
import { openPostgres } from '../open.js';
import { CLUSTER_VARIABLE } from './cluster-folder.js';
import { MARKER, RUN_FOLDER_PREFIX } from './run-folder.js';

interface Facts {
  readonly data: string;
  readonly pid: number;
  readonly code?: string;
  readonly message?: string;
}

const IS_ROOT = process.getuid?.() === 0;
// Any ordinary user that exists everywhere; root's own server runs as nobody, so another one.
const DAEMON = 1;
const USERS: [name: string, uid: number | null][] = IS_ROOT
  ? [
      ['root', null],
      ['an ordinary user', DAEMON],
    ]
  : [['an ordinary user', null]];

// The server of one run alone; the kept cluster has tests of its own.
beforeAll(() => {
  vi.stubEnv(CLUSTER_VARIABLE, 'none');
});

let place: string;
let home: string;
let program: string;
/** A program folder with the Postgres packages as npm leaves them without install scripts; made once, since it is large. */
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'rm-start-'));
  await chmod(place, 0o755);
  home = join(place, 'home');
  await mkdir(home);
  program = await bundleEntry('test/support/postgres-child.ts', home, 'child');
  await copyPostgresPackages(home);
});
afterAll(() => rm(place, { recursive: true, force: true }));

/** Makes the program folder a user's, whom alone it lets in, as it was before its first start. */
async function handTo(uid: number | null): Promise<void> {
  await rm(join(home, 'caches'), { recursive: true, force: true });
  for (const path of uid === null ? [] : readdirSync(home, { recursive: true, encoding: 'utf8' }))
    await giveTo(join(home, path), uid);
  await giveTo(home, uid);
  chmodSync(home, 0o700);
}

interface Child {
  readonly process: ChildProcess;
  readonly facts: Facts;
}

async function run(program: string, uid: number | null, env: Record<string, string>): Promise<Child> {
  const child = spawn(process.execPath, [program], {
    cwd: dirname(program),
    env: {
      PATH: process.env.PATH ?? '',
      HOME: dirname(program),
      TMPDIR: tmpdir(),
      [CLUSTER_VARIABLE]: 'none',
      ...env,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(uid === null ? {} : { uid, gid: uid }),
  });
  const lines = createInterface(child.stdout!);
  const line = await new Promise<string>((resolve, reject) => {
    lines.once('line', resolve).once('close', () => reject(new Error('the child ended without a word')));
  });
  return { process: child, facts: JSON.parse(line) as Facts };
}

async function end(child: Child): Promise<number | null> {
  const exit = once(child.process, 'exit');
  child.process.stdin?.end();
  return ((await exit) as [number | null])[0];
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = systemClock.monotonicMs() + 20_000;
  while (!condition()) {
    if (systemClock.monotonicMs() > deadline) throw new Error('the condition did not come true');
    await systemClock.sleep(20);
  }
}

describe.each(USERS)('PG-1 started by %s from a folder that only its owner may enter', (_name, uid) => {
  let cacheEnvironment: Record<string, string>;
  beforeAll(async () => {
    await handTo(uid);
    cacheEnvironment = { LANG: '', XDG_CACHE_HOME: join(home, 'caches') };
  });

  test('PG-1 encoding and collation are fixed with LANG empty and hostile settings about, and nothing is left', async () => {
    const child = await run(program, uid, {
      ...cacheEnvironment,
      LC_ALL: 'tr_TR.ISO-8859-9',
      TZ: 'Asia/Tokyo',
      PGHOST: 'nowhere.invalid',
      PGUSER: 'nobody-here',
      PGDATABASE: 'none',
      PGSSLMODE: 'require',
      PGOPTIONS: '-c search_path=evil',
      NODE_OPTIONS: '',
    });
    expect(child.facts).toMatchObject({
      encoding: 'UTF8',
      collation: 'C',
      ctype: 'C',
      zone: 'UTC',
      text_search: 'pg_catalog.english',
      messages: 'C',
      version: expect.stringMatching(/^18\./),
    });
    expect(isRunning(child.facts.pid)).toBe(true);
    expect(await end(child)).toBe(0);
    expect(isRunning(child.facts.pid)).toBe(false);
    expect(existsSync(dirname(child.facts.data))).toBe(false);
  });

  test('PG-1 when its process is killed, the server stops and its folder goes', async () => {
    const child = await run(program, uid, cacheEnvironment);
    expect(isRunning(child.facts.pid)).toBe(true);
    child.process.kill('SIGKILL');
    await until(() => !isRunning(child.facts.pid) && !existsSync(dirname(child.facts.data)));
  });

  test('PG-1 what a run left whose guard was killed too is removed by the next, server included', async () => {
    // Apart from where other tests start servers: any of them would be the next run.
    const temporary = join(place, 'apart');
    await mkdir(temporary, { recursive: true });
    await chmod(temporary, 0o777);
    const apart = { ...cacheEnvironment, TMPDIR: temporary };
    const child = await run(program, uid, apart);
    const folder = dirname(child.facts.data);
    const { guard } = JSON.parse(await readText(join(folder, MARKER))) as { guard: number };
    process.kill(guard, 'SIGKILL');
    child.process.kill('SIGKILL');
    await until(() => !isRunning(guard));
    expect(isRunning(child.facts.pid)).toBe(true);
    const next = await run(program, uid, apart);
    await until(() => !isRunning(child.facts.pid));
    expect(existsSync(folder)).toBe(false);
    expect(await end(next)).toBe(0);
  });
});

describe('PG-1 started by whoever it was last', () => {
  const uid = USERS.at(-1)![1];
  let cacheEnvironment: Record<string, string>;
  beforeAll(() => {
    cacheEnvironment = { XDG_CACHE_HOME: join(home, 'caches') };
  });

  test('PG-1 a temporary folder too long for a socket is passed over', async () => {
    const long = join(home, 'x'.repeat(90));
    await mkdir(long, { mode: 0o777 });
    await giveTo(long, uid);
    const child = await run(program, uid, { ...cacheEnvironment, TMPDIR: long });
    expect(child.facts.data).toMatch(/^\/(tmp|var\/tmp)\//);
    expect(await end(child)).toBe(0);
  });

  test('PG-1 a folder that only looks like a run’s, and one whose guard lives, are left alone', async () => {
    const unmarked = mkdtempSync(join(tmpdir(), RUN_FOLDER_PREFIX));
    const alive = await run(program, uid, cacheEnvironment);
    try {
      const next = await run(program, uid, cacheEnvironment);
      expect(await end(next)).toBe(0);
      expect(existsSync(unmarked)).toBe(true);
      expect(existsSync(alive.facts.data)).toBe(true);
      expect(await end(alive)).toBe(0);
    } finally {
      await rm(unmarked, { recursive: true });
    }
  });
});

describe('PG-3 a local server that cannot start', () => {
  const signal = new AbortController().signal;
  const start = (cacheFolder: string) => probePostgres({ databaseUrl: null, cacheFolder, clock: systemClock, signal });
  const entry = (cache: string, isWanted: (name: string) => boolean): string =>
    join(cache, readdirSync(cache).find(isWanted) as string);

  // One cache for those that mend what they break: to fill one is what takes long.
  let cache: string;
  beforeAll(() => {
    cache = join(place, 'cache');
  });

  test('PG-3 it ends with the server’s own last words, and the next start with sound files works', async () => {
    expect(await start(cache)).toMatchObject({
      kind: 'embedded',
      version: expect.stringMatching(/^18\./),
      cacheFolder: cache,
    });
    const data = join(
      entry(cache, (name) => name.includes('-data-')),
      'data',
    );
    const version = await readText(join(data, 'PG_VERSION'));
    await writeFile(join(data, 'PG_VERSION'), '9.6\n');
    await expect(start(cache)).rejects.toMatchObject({
      code: 'POSTGRES_DID_NOT_START',
      exitCode: 8,
      message: expect.stringMatching(/exit code 1.*incompatible with server/s),
      remedy: expect.stringContaining('--database-url'),
    });
    await writeFile(join(data, 'PG_VERSION'), version);
    await expect(start(cache)).resolves.toMatchObject({ kind: 'embedded' });
  });

  test('PG-1 files that were cleaned out of the cache are copied anew', async () => {
    await start(cache);
    await rm(
      join(
        entry(cache, (name) => !name.includes('-data-')),
        'bin',
        'postgres',
      ),
    );
    await expect(start(cache)).resolves.toMatchObject({ kind: 'embedded' });
    expect(readdirSync(cache)).toHaveLength(2);
  });

  test('PG-1 two first starts at once share one cache', async () => {
    const cache = join(place, 'raced');
    await expect(Promise.all([start(cache), start(cache)])).resolves.toHaveLength(2);
    expect(readdirSync(cache)).toHaveLength(2);
  });

  test('PG-3 a cache that others may write to is refused', async () => {
    const cache = join(place, 'open');
    await mkdir(cache);
    await chmod(cache, 0o777);
    await expect(start(cache)).rejects.toMatchObject({
      code: 'POSTGRES_CACHE_REFUSED',
      exitCode: 8,
      message: expect.stringContaining('other users'),
    });
  });

  test.runIf(IS_ROOT)('PG-3 a cache that another user prepared is refused', async () => {
    const cache = join(place, 'prepared');
    await mkdir(cache, { mode: 0o755 });
    await giveTo(cache, DAEMON);
    await expect(start(cache)).rejects.toMatchObject({
      code: 'POSTGRES_CACHE_REFUSED',
      message: expect.stringContaining('belongs to user 1'),
    });
  });

  test('PG-3 a server that is lost in use gives the typed error at each next use, and closing still works', async () => {
    const server = await openPostgres({
      databaseUrl: null,
      cacheFolder: cache,
      clock: systemClock,
      signal,
    });
    const { admin, runtime } = await server.createScratch([]);
    const held = await runtime.connect();
    const { rows } = await admin.query<{ data: string }>(`select current_setting('data_directory') as data`);
    const data = rows[0]!.data;
    process.kill(Number((await readText(join(data, 'postmaster.pid'))).split('\n')[0]), 'SIGQUIT');
    const lost = { code: 'POSTGRES_LOST', kind: 'database', exitCode: 8 };
    await expect(held.query('select pg_sleep(30)')).rejects.toMatchObject(lost);
    held.release(true);
    await until(() => !existsSync(join(data, 'postmaster.pid')));
    await expect(admin.query('select 1')).rejects.toMatchObject(lost);
    await expect(runtime.connect()).rejects.toMatchObject(lost);
    await expect(server.createScratch([])).rejects.toMatchObject(lost);
    await server.close();
    expect(existsSync(dirname(data))).toBe(false);
  });

  test('PG-1 an aborted start leaves no server and gives the reason', async () => {
    const controller = new AbortController();
    controller.abort(new Error('enough'));
    // A folder for temporary files of its own: others start servers meanwhile.
    const temporary = join(place, 't');
    await mkdir(temporary, { mode: 0o777 });
    vi.stubEnv('TMPDIR', temporary);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      vi.stubEnv(CLUSTER_VARIABLE, 'none');
    });
    await expect(
      probePostgres({ databaseUrl: null, cacheFolder: cache, clock: systemClock, signal: controller.signal }),
    ).rejects.toThrow('enough');
    expect(readdirSync(temporary)).toEqual([]);
  });
});

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8');
}
