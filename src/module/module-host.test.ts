import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { systemClock } from '../core/clock.js';
import { findModule } from './find-module.js';
import type { ModuleKind } from './module.js';
import { moduleDigest } from './module-files.js';
import { ModuleHost } from './module-host.js';

const open: ModuleHost[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((host) => host.close()));
});

async function write(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

async function find(text: string, kind: ModuleKind = 'strategy', name = 'm.mjs', timeLimitMs = 5000) {
  const folder = await write({ [name]: text });
  return findModule(kind, `./${name}`, join(folder, name), timeLimitMs, systemClock);
}

async function host(text: string, timeLimitMs = 5000): Promise<ModuleHost> {
  const { module } = await find(text);
  const opened = new ModuleHost(module, timeLimitMs, systemClock);
  open.push(opened);
  return opened;
}

const CALLS = `import { parentPort, workerData } from 'node:worker_threads';
export function rank(input) {
  switch (input) {
    case 'forge':
      for (const said of [null, { kind: 'returned', bytes: new Uint8Array([1, 2, 3]) }, { kind: 'odd' }])
        (workerData.port ?? parentPort).postMessage(said);
      return 'its own';
    case 'shut': parentPort.close(); return 'shut';
    case 'late': setTimeout(() => { throw new Error('too late'); }); return 'early';
    case 'throw': throw new TypeError('no such luck');
    case 'reject': return Promise.reject('later');
    case 'hang': for (;;);
    case 'wait': return new Promise(() => {});
    case 'exit': process.exit(3);
    case 'function': return () => 1;
    case 'much': return 'x'.repeat(9_000_000);
    case 'odd': throw { get message() { throw new Error('no'); }, toString() { throw new Error('no'); } };
    case 'env': return Object.keys(process.env);
    default: return { input };
  }
}
`;

describe('RT-6 a module in its thread', () => {
  it('RT-6 is given data and gives data, one call after the other', async () => {
    const module = await host(CALLS);
    const asked = [{ a: [1, null] }, 'text', Number.NaN];
    expect(await Promise.all(asked.map((input) => module.call('rank', [input], 'q')))).toEqual(
      asked.map((input) => ({ input })),
    );
  });

  it.each([
    ['throw', 'MODULE_THREW', 'it threw TypeError: no such luck'],
    ['reject', 'MODULE_THREW', 'it threw later'],
    ['odd', 'MODULE_THREW', 'it threw what cannot be shown'],
    ['exit', 'MODULE_DIED', 'its thread ended with 3'],
    ['function', 'MODULE_UNSOUND', 'could not be cloned'],
    ['much', 'MODULE_UNSOUND', 'at most 8388608 are taken'],
  ])(
    'RT-6 one that does `%s` fails that call, named with the module, and serves the next',
    async (input, code, text) => {
      const module = await host(CALLS);
      await expect(module.call('rank', [input], 'the question q7')).rejects.toMatchObject({
        kind: 'provider',
        code,
        message: expect.stringMatching(new RegExp(`^the strategy module \\./m\\.mjs, for the question q7: .*${text}`)),
      });
      expect(await module.call('rank', ['next'], 'q8')).toEqual({ input: 'next' });
    },
  );

  it.each([
    ['forge', 'its own'],
    ['shut', 'shut'],
  ])('RT-6 one that reaches for its channel (`%s`) says nothing on it', async (input, given) => {
    const module = await host(CALLS);
    expect(await module.call('rank', [input], 'q7')).toBe(given);
    expect(await module.call('rank', ['next'], 'q8')).toEqual({ input: 'next' });
  });

  it('RT-6 one that dies of an earlier call fails the next, which is told apart', async () => {
    const module = await host(CALLS);
    expect(await module.call('rank', ['late'], 'q7')).toBe('early');
    // Whether it dies before the next call or in it is the thread's own: never that the call is answered.
    await expect(module.call('rank', ['wait'], 'q8')).rejects.toMatchObject({
      code: 'MODULE_DIED',
      message: expect.stringContaining('too late'),
    });
    expect(await module.call('rank', ['next'], 'q9')).toEqual({ input: 'next' });
  });

  it.each(['hang', 'wait'])('RT-6 one that does `%s` is ended at its time limit, and started anew', async (input) => {
    const module = await host(CALLS, 300);
    await expect(module.call('rank', [input], 'q7')).rejects.toMatchObject({
      code: 'MODULE_TIMED_OUT',
      message: expect.stringContaining('no answer within 300 ms'),
    });
    expect(await module.call('rank', ['next'], 'q8')).toEqual({ input: 'next' });
  });

  it('RS-4 it is handed no variable of the process', async () => {
    process.env.RECALL_MATRIX_TEST_KEY = 'secret';
    try {
      expect(await (await host(CALLS)).call('rank', ['env'], 'q')).toEqual([]);
    } finally {
      delete process.env.RECALL_MATRIX_TEST_KEY;
    }
  });

  it('RT-6 MX-7 one that was edited since it was found is not started', async () => {
    const module = await host(CALLS);
    await writeFile(module.module.file, `${CALLS}// edited\n`);
    await expect(module.call('rank', ['x'], 'q')).rejects.toMatchObject({
      kind: 'invalid-input',
      code: 'MODULE_CHANGED',
    });
  });
});

describe('RT-6 finding a module', () => {
  it.each([
    ['a name that is no ES module’s', 'export const rank = () => [];', 'strategy', 'm.js', 'MODULE_NOT_ESM'],
    ['CommonJS', 'module.exports = { rank() {} };', 'strategy', 'm.mjs', 'MODULE_NOT_LOADED'],
    ['a syntax error', 'export const rank = (', 'strategy', 'm.mjs', 'MODULE_NOT_LOADED'],
    [
      'an import that is not there',
      "import './none.mjs'; export const rank = () => [];",
      'strategy',
      'm.mjs',
      'MODULE_NOT_LOADED',
    ],
    ['no exports', 'export {};', 'strategy', 'm.mjs', 'MODULE_EXPORTS'],
    ['an export of another kind', 'export const rank = 1;', 'strategy', 'm.mjs', 'MODULE_EXPORTS'],
    ['a scorer without score', 'export const rank = () => [];', 'scorer', 'm.mjs', 'MODULE_EXPORTS'],
    ['a policy without instructions', 'export const instructions = " ";', 'policy', 'm.mjs', 'MODULE_EXPORTS'],
    [
      'a policy of nobody',
      'export const instructions = "x"; export const people_limit = 0;',
      'policy',
      'm.mjs',
      'MODULE_EXPORTS',
    ],
  ] as const)('RT-6 refuses %s', async (_what, text, kind, name, code) => {
    await expect(find(text, kind, name)).rejects.toMatchObject({ kind: 'invalid-input', code });
  });

  it('RT-6 refuses one that is not there, and one that never ends loading', async () => {
    const folder = await write({});
    const missing = findModule('strategy', './no.mjs', join(folder, 'no.mjs'), 5000, systemClock);
    await expect(missing).rejects.toMatchObject({ code: 'MODULE_UNREADABLE' });
    const endless = find('export const rank = () => []; for (;;);', 'strategy', 'm.mjs', 300);
    await expect(endless).rejects.toMatchObject({
      code: 'MODULE_NOT_LOADED',
      message: expect.stringContaining('300 ms'),
    });
  });

  it('RS-4 RT-6 a device is no module: it is not read', async () => {
    const folder = await write({});
    await symlink('/dev/zero', join(folder, 'm.mjs'));
    await expect(moduleDigest(join(folder, 'm.mjs'))).rejects.toMatchObject({ code: 'MODULE_UNREADABLE' });
  });

  it('RT-6 its digest covers what it imports by relative paths, whatever the line ends, and nothing beside it', async () => {
    const files = {
      'm.mjs': "import { a } from './a.mjs';\nexport const rank = () => a;\n",
      'a.mjs': "export * from './b.mjs';\nexport const a = [];\n",
      'b.mjs': "import './a.mjs';\nexport const b = 1;\n",
      'c.mjs': 'export const c = 1;\n',
    };
    const digestOf = async (changes: Partial<typeof files> = {}) =>
      moduleDigest(join(await write({ ...files, ...changes }), 'm.mjs'));
    const digest = await digestOf();
    expect(await digestOf({ 'c.mjs': 'changed' })).toBe(digest);
    expect(await digestOf({ 'b.mjs': files['b.mjs'].replaceAll('\n', '\r\n') })).toBe(digest);
    expect(await digestOf({ 'b.mjs': 'export const b = 2;\n' })).not.toBe(digest);
    expect(await digestOf({ 'm.mjs': `${files['m.mjs']}//` })).not.toBe(digest);
  });
});
