import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { parse, stringify } from 'yaml';
import type { RunResult } from '../../src/experiment/experiment.js';
import { Checkout, type Ended } from './checkout.js';
import { blocksOf, commandsOf, shellCommands } from './shell-commands.js';

const PROJECT = resolve(fileURLToPath(import.meta.url), '../../..');
const MARK = '<!-- quickstart-output -->\n';
const TIMEOUT_MS = 240_000;
/** `npm test` runs the README's commands, the extended tests those of every page. */
const ALL_PAGES = process.env.RECALL_MATRIX_TEST_PAGES === 'all';

/** Commands that are not run here, and why. */
const NOT_RUN_HERE: ReadonlyMap<string, string> = new Map([
  ['npm ci && npm start', 'CI installs; the command that `start` stands for is run here'],
  ['npm ci && npm test', 'CI runs it: this test is part of it'],
  ['node bench/run.mjs quickstart [runs]', 'a benchmark is never part of the tests'],
  ['node bench/run.mjs formation-replay [runs]', 'a benchmark is never part of the tests'],
  ['node bench/run.mjs ledger [runs]', 'a benchmark is never part of the tests'],
  ['node bench/run.mjs report [sizes]', 'a benchmark is never part of the tests'],
  ['node bench/run.mjs longmemeval [sizes]', 'a benchmark is never part of the tests'],
]);

/** Commands that end with 2 here, since no key is set. */
const REFUSED_WITHOUT_KEY: ReadonlySet<string> = new Set([
  'node dist/cli/main.js record matrices/mine.yaml',
  'node dist/cli/main.js run matrices/mine.yaml',
  'node dist/cli/main.js run matrices/examples/judged.yaml',
  'node dist/cli/main.js run matrices/examples/lessons.yaml --out runs --lessons lessons',
]);

/** Run first, in the place of `npm start`, which stands first in the README: what comes after it looks at its run. */
const START = 'node dist/cli/main.js run matrices/quickstart.yaml --json > result.json';
/** Commands that start a server, as a user's do: all others use the test run's. */
const WITH_OWN_SERVER: ReadonlySet<string> = new Set([START, 'node dist/cli/main.js doctor']);
const serverOf = (text: string): string | null => (WITH_OWN_SERVER.has(text) ? null : inject('postgresUrl'));

/** What this run of the tests saw: the commands of a page build on each other, so they are run once, in order. */
const ended = new Map<string, Ended>();
let checkout: Checkout;

beforeAll(async () => {
  execFileSync(process.execPath, [join(PROJECT, 'scripts/ensure-build.mjs')], {
    stdio: 'inherit',
    timeout: TIMEOUT_MS,
  });
  checkout = await Checkout.make(PROJECT);
  const run = async (text: string) => ended.set(text, await checkout.run(text, TIMEOUT_MS, serverOf(text)));
  await run(START);
  for (const { page, text } of await shellCommands(PROJECT)) {
    if ((ALL_PAGES || page === 'README.md') && text !== START && !NOT_RUN_HERE.has(text)) await run(text);
  }
}, 900_000);

afterAll(() => checkout?.remove());

/** What `npm start` prints: a finished run prints the same again. */
async function quickstartOutput(): Promise<string> {
  const { path } = JSON.parse(await readFile(join(checkout.path, 'result.json'), 'utf8')) as RunResult;
  return (await checkout.run(`node dist/cli/main.js run --resume ${path}`, TIMEOUT_MS, null)).stdout;
}

describe('commands in the pages', () => {
  it('CL-1 are found, each program line by its ```sh block', () => {
    const page = '```sh\na --b  # why\nc \\\n  d "#e"\n```\ntext\n```yaml\nno: 1\n```\n';
    expect(commandsOf(page)).toEqual(['a --b', 'c    d "#e"']);
    expect([...ended.keys()].length).toBeGreaterThan(10);
  });

  it('CL-1 CL-2 do what the pages say, or are refused for want of a key alone', () => {
    for (const [text, { code, stderr }] of ended) {
      if (REFUSED_WITHOUT_KEY.has(text)) {
        expect({ text, code, missing: stderr.includes('ENV_MISSING') }).toEqual({ text, code: 2, missing: true });
      } else expect({ text, code, stderr: code === 0 ? '' : stderr }).toEqual({ text, code: 0, stderr: '' });
    }
  });

  it('names no command as not run, as refused, or as with a server of its own, that no page has', async () => {
    const texts = (await shellCommands(PROJECT)).map(({ text }) => text);
    for (const text of [...NOT_RUN_HERE.keys(), ...REFUSED_WITHOUT_KEY, ...WITH_OWN_SERVER])
      expect(texts).toContain(text);
  });

  if (ALL_PAGES)
    it("LE-6 the quickstart's run, harvested for a second time, adds nothing, and verifies nothing", () => {
      // Columns: added, known. The pages give the command more than once, and what is kept is the last.
      const harvested = ended.get('node dist/cli/main.js lessons harvest latest')?.stdout ?? '';
      expect(harvested).toMatch(/^quickstart-\S+( +\d+){5} +0 +[1-9]\d*$/m);
      expect(harvested).toMatch(/^lessons: \d+ candidate$/m);
    });

  it('MX-6 plan needs no key, sends nothing, and tells the expected from the worst case', () => {
    const plan = ended.get('node dist/cli/main.js plan matrices/mine.yaml')?.stdout ?? '';
    expect(plan).toMatch(/^total +\d+ +\d+ +\$[\d.]+ +\$[\d.]+$/m);
    expect(plan).toContain('A small expected cost is no admission');
  });

  it('ST-5 FB-4 the quickstart says what it replayed, and what parity shows and does not', async () => {
    const shown = (await quickstartOutput()).replaceAll(/\s+/g, ' ');
    expect(shown).toContain('not that vectors are equal, nor that formation found every fact');
    expect(shown).toContain('replayed (no new formation call)');
  });
});

describe('the README', () => {
  it('shows what the quickstart really prints (UPDATE_README=1 writes it anew)', async () => {
    const path = join(PROJECT, 'README.md');
    const readme = await readFile(path, 'utf8');
    const [before, after] = readme.split(MARK) as [string, string];
    const shown = shownOutput(await quickstartOutput());
    const updated = `${before}${MARK}${after.replace(/^```text\n[\s\S]*?^```/m, () => `\`\`\`text\n${shown}\n\`\`\``)}`;
    if (process.env.UPDATE_README === '1') await writeFile(path, updated);
    else expect(comparable(blocksOf(after, 'text')[0] ?? '')).toEqual(comparable(shown));
  });

  it('PR-1 gives servers of one’s own in words that validate, and plans them at no cost', async () => {
    const [block] = blocksOf(await readFile(join(PROJECT, 'README.md'), 'utf8'), 'yaml');
    const own = parse(block ?? '') as { providers: Record<string, { kind: string }> };
    const remote = Object.keys(own.providers).filter((alias) => own.providers[alias]?.kind !== 'local');
    expect(remote).toEqual(['ollama', 'vllm', 'llama-cpp', 'openrouter']);
    const example = await readFile(join(checkout.path, 'matrices/example-remote.yaml'), 'utf8');
    for (const alias of remote) {
      const named = example
        .replaceAll('model: gpt-4.1-mini', 'model: llama3.2')
        .replaceAll('provider: remote', `provider: ${alias}`);
      await writeFile(join(checkout.path, 'matrices/own-server.yaml'), stringify({ ...parse(named), ...own }));
      const { code, stdout } = await checkout.run(
        'node dist/cli/main.js plan matrices/own-server.yaml --json',
        TIMEOUT_MS,
        null,
      );
      expect({ alias, code, worst: JSON.parse(stdout).total?.worst_nano_usd }).toEqual({ alias, code: 0, worst: 0 });
    }
  });

  it('LG-8 names prices that a table holds as the example does', async () => {
    const read = async (name: string) => parse(await readFile(join(PROJECT, 'matrices', name), 'utf8'));
    const inline = (await read('example-remote.yaml')).prices['gpt-4.1-mini'];
    const { model, ...listed } = (await read('example-prices.yaml')).entries[0];
    expect(model).toBe('gpt-4.1-mini');
    expect(listed).toEqual(inline);
  });
});

/** The output as the README gives it: no path of a machine. */
function shownOutput(stdout: string): string {
  return stdout.trimEnd().replaceAll(/(written to|recall-matrix report) .*\/(runs\/[^/\n]+)$/gm, '$1 $2');
}

/** What must be equal: not the run's name, nor digests that hold a time, nor whether the banks were there before. */
function comparable(output: string): string[] {
  return output
    .trimEnd()
    .replaceAll(/quickstart-\d{8}-\d{6}-[0-9a-f]{4}/g, 'RUN')
    .replaceAll(/\b[0-9a-f]{12}\b/g, 'DIGEST')
    .replaceAll(/recorded now|replayed \(no new formation call\)/g, 'SOURCE')
    .split('\n')
    .map((line) => line.trim().replaceAll(/\s+/g, ' '));
}
