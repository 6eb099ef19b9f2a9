import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { bundleEntry, copyPostgresPackages, giveTo } from '../../../test/support/bundle.js';
import { systemClock } from '../../core/clock.js';
import { CLUSTER_VARIABLE } from './cluster-folder.js';
import { MARKER } from './run-folder.js';

interface Facts {
  readonly data: string;
  /** When its server was started: tells two servers apart. */
  readonly started: string;
  readonly socket: string;
  readonly fsync: string;
  readonly scratch: string;
  readonly notes: readonly string[];
  /** Rows of the control database. */
  readonly kept: number;
}

interface User {
  readonly process: ChildProcess;
  readonly facts: Facts;
}

const IS_ROOT = process.getuid?.() === 0;
const DAEMON = 1;

let place: string;
let home: string;
let program: string;
const users: User[] = [];
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'rm-kept-'));
  await chmod(place, 0o755);
  home = join(place, 'home');
  await mkdir(home);
  program = await bundleEntry('test/support/cluster-child.ts', home, 'child');
  await copyPostgresPackages(home);
});
afterEach(async () => {
  for (const user of users.splice(0)) await leave(user).catch(() => {});
});
afterAll(() => rm(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

/** Starts a process that uses the cluster of `clusters`; null: the place where it is by itself. */
async function use(clusters: string | null, options: { uid?: number; control?: boolean } = {}): Promise<User> {
  const { uid } = options;
  const child = spawn(process.execPath, [program, ...(options.control ? ['control'] : [])], {
    cwd: home,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      TMPDIR: tmpdir(),
      LANG: '',
      XDG_CACHE_HOME: join(home, 'caches'),
      ...(clusters === null ? {} : { [CLUSTER_VARIABLE]: clusters }),
    },
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  const line = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout!)
      .once('line', resolve)
      .once('close', () => reject(new Error('the child ended without a word')));
  });
  const user = { process: child, facts: JSON.parse(line) as Facts };
  users.push(user);
  return user;
}

async function leave({ process: child }: User): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exit = once(child, 'exit');
  child.stdin?.end('\n');
  return ((await exit) as [number | null])[0];
}

async function kill(user: User): Promise<void> {
  const exit = once(user.process, 'exit');
  user.process.kill('SIGKILL');
  await exit;
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = systemClock.monotonicMs() + 20_000;
  while (!condition()) {
    if (systemClock.monotonicMs() > deadline) throw new Error('the condition did not come true');
    await systemClock.sleep(20);
  }
}

const readText = (path: string): Promise<string> => readFile(path, 'utf8');
const isRunning = ({ data }: Facts): boolean => existsSync(join(data, 'postmaster.pid'));
const postmaster = async ({ data }: Facts): Promise<number> =>
  Number((await readText(join(data, 'postmaster.pid'))).split('\n')[0]);

/** A folder for clusters of the test's own. */
async function newClusters(): Promise<string> {
  const path = await mkdtemp(join(place, 'clusters-'));
  await chmod(path, 0o711);
  return path;
}

describe('PG-5 the kept cluster', () => {
  test('PG-5 outlasts its users: the next finds its control database, and the server stops with the last of them', async () => {
    const clusters = await newClusters();
    const first = await use(clusters, { control: true });
    expect(first.facts).toMatchObject({ kept: 1, notes: [] });
    expect(first.facts.data.startsWith(clusters)).toBe(true);
    const [one, two] = await Promise.all([use(clusters), use(clusters, { control: true })]);
    expect(new Set([first, one, two].map(({ facts }) => facts.started)).size).toBe(1);
    expect(new Set([first, one, two].map(({ facts }) => facts.scratch)).size).toBe(3);
    expect(await leave(first)).toBe(0);
    expect(await leave(two)).toBe(0);
    expect(isRunning(one.facts)).toBe(true);
    expect(await leave(one)).toBe(0);
    expect(isRunning(one.facts)).toBe(false);
    expect(existsSync(dirname(one.facts.socket))).toBe(false);
    expect(readdirSync(dirname(one.facts.data)).sort()).toEqual(['data', 'server.log']);

    const next = await use(clusters, { control: true });
    expect(next.facts.started).not.toBe(one.facts.started);
    expect(next.facts).toMatchObject({ kept: 3, notes: [], encoding: 'UTF8', collation: 'C' });
  });

  test('PG-5 of several that start at once, one starts the server and all use it', async () => {
    const clusters = await newClusters();
    const all = await Promise.all([use(clusters), use(clusters), use(clusters), use(clusters)]);
    expect(new Set(all.map(({ facts }) => facts.started)).size).toBe(1);
    expect(await Promise.all(all.map(leave))).toEqual([0, 0, 0, 0]);
    expect(isRunning(all[0]!.facts)).toBe(false);
  });

  test('PG-5 a killed user stops it where it was the last, and breaks nobody else; the next removes what it left', async () => {
    const clusters = await newClusters();
    const [killed, other] = await Promise.all([use(clusters), use(clusters)]);
    await kill(killed);
    const next = await use(clusters);
    expect(next.facts.started).toBe(other.facts.started);
    expect(next.facts.notes).toEqual(['removed 1 scratch databases that a killed run had left']);
    // Its scratch database is still there: it asks it before it ends.
    expect(await leave(other)).toBe(0);
    await kill(next);
    await until(() => !isRunning(next.facts));
    const last = await use(clusters);
    expect(last.facts.notes).toEqual(['removed 1 scratch databases that a killed run had left']);
  });

  test('PG-5 a server left behind without its guard is ended, and what was committed is recovered', async () => {
    const clusters = await newClusters();
    const user = await use(clusters, { control: true });
    const { guard } = JSON.parse(await readText(join(dirname(user.facts.socket), MARKER))) as { guard: number };
    process.kill(guard, 'SIGKILL');
    await kill(user);
    expect(isRunning(user.facts)).toBe(true);
    const next = await use(clusters, { control: true });
    expect(next.facts).toMatchObject({ kept: 2, data: user.facts.data });
    expect(next.facts.started).not.toBe(user.facts.started);
  });

  test('PG-5 a crashed server is started again by the next run, its lock file left behind or made somebody else’s', async () => {
    const clusters = await newClusters();
    const user = await use(clusters, { control: true });
    process.kill(await postmaster(user.facts), 'SIGKILL');
    expect(await leave(user)).not.toBe(0);
    expect(isRunning(user.facts)).toBe(true);
    const next = await use(clusters, { control: true });
    const left = ['removed 1 scratch databases that a killed run had left'];
    expect(next.facts).toMatchObject({ kept: 2, data: user.facts.data, notes: left });
    const lock = await readText(join(next.facts.data, 'postmaster.pid'));
    process.kill(await postmaster(next.facts), 'SIGKILL');
    await leave(next);
    // The number is another process's by now: of this test, say.
    await writeFile(join(next.facts.data, 'postmaster.pid'), lock.replace(/^\d+/, String(process.pid)));
    const last = await use(clusters, { control: true });
    expect(last.facts).toMatchObject({ kept: 3, data: user.facts.data, notes: left });
  });

  test('PG-5 scratch is not synced; from its first ledger on the cluster is, for good', async () => {
    const clusters = await newClusters();
    const plain = await use(clusters);
    expect(plain.facts.fsync).toBe('off');
    const ledger = await use(clusters, { control: true });
    expect(ledger.facts.fsync).toBe('on');
    await leave(plain);
    await leave(ledger);
    const next = await use(clusters);
    expect(next.facts.fsync).toBe('on');
  });

  test('PG-5 the folder is private, and another version of the package does not use it', async () => {
    const clusters = await newClusters();
    const { facts } = await use(clusters);
    expect((await stat(facts.data)).mode & 0o777).toBe(0o700);
    expect((await stat(dirname(facts.data))).mode & 0o066).toBe(0);
    expect(dirname(facts.data)).toMatch(/postgres-18\.[\w.-]+-linux-\w+-[0-9a-f]{8}$/);
  });
});

describe('PG-5 where the cluster cannot be used, the run has a server of its own', () => {
  const OWN_SERVER = {
    notes: [expect.stringMatching(/^the kept database cluster cannot be used, so this run has one of its own: /)],
    data: expect.stringContaining('recall-matrix-pg-'),
  };

  test('PG-5 a folder that cannot be made', async () => {
    const file = join(place, 'file');
    await writeFile(file, '');
    const { facts } = await use(join(file, 'clusters'));
    expect(facts).toMatchObject(OWN_SERVER);
  });

  test('PG-3 PG-5 a folder that others may write to', async () => {
    const clusters = await newClusters();
    await chmod(clusters, 0o777);
    const { facts } = await use(clusters);
    expect(facts).toMatchObject(OWN_SERVER);
    expect(facts.notes[0]).toContain('may be changed by other users');
  });

  test('PG-5 a cluster in use on another machine, which the note names', async () => {
    const clusters = await newClusters();
    const user = await use(clusters);
    await leave(user);
    const record = { format: 'postgres-cluster@1', folder: dirname(user.facts.socket), host: `not-${hostname()}` };
    await writeFile(join(dirname(user.facts.data), 'server.json'), JSON.stringify(record));
    const { facts } = await use(clusters);
    expect(facts).toMatchObject(OWN_SERVER);
    expect(facts.notes[0]).toContain(`not-${hostname()}`);
  });

  test('PG-5 a damaged cluster is named, with the server’s own words, and left as it is', async () => {
    const clusters = await newClusters();
    const user = await use(clusters);
    await leave(user);
    await writeFile(join(user.facts.data, 'PG_VERSION'), '9.6\n');
    const { facts } = await use(clusters);
    expect(facts).toMatchObject(OWN_SERVER);
    expect(facts.notes[0]).toContain('incompatible with server');
    expect(existsSync(join(user.facts.data, 'PG_VERSION'))).toBe(true);
  });
});

describe.runIf(IS_ROOT)('PG-5 of an ordinary user, whose home only they may enter', () => {
  beforeAll(async () => {
    await rm(join(home, 'caches'), { recursive: true, force: true });
    for (const path of readdirSync(home, { recursive: true, encoding: 'utf8' })) await giveTo(join(home, path), DAEMON);
    await giveTo(home, DAEMON);
    chmodSync(home, 0o700);
  });

  test('PG-5 the cluster lies in their state folder and is theirs alone', async () => {
    const first = await use(null, { uid: DAEMON, control: true });
    expect(first.facts.data.startsWith(join(home, '.local', 'state', 'recall-matrix'))).toBe(true);
    const second = await use(null, { uid: DAEMON });
    expect(second.facts.started).toBe(first.facts.started);
    expect((await stat(dirname(first.facts.data))).mode & 0o777).toBe(0o700);
    await leave(first);
    await leave(second);
    expect((await use(null, { uid: DAEMON, control: true })).facts).toMatchObject({ kept: 2, notes: [] });
  });

  test('PG-5 a home that cannot be written gives a server of the run’s own', async () => {
    await rm(join(home, '.local'), { recursive: true, force: true });
    chmodSync(home, 0o500);
    const { facts } = await use(null, { uid: DAEMON });
    expect(facts.notes[0]).toMatch(/kept database cluster cannot be used/);
    expect(facts.data).toContain('recall-matrix-pg-');
  });
});
