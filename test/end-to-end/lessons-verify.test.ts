import { execFile } from 'node:child_process';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { digestText } from '../../src/core/digest.js';
import { EXPECTATIONS } from '../../src/lessons/bootstrap/expectations.js';
import { type CliResult, cli, documentOf, exits, PROJECT } from '../support/cli.js';
import { keptFolder } from '../support/kept-folder.js';

const PROJECTION = EXPECTATIONS['projection/of-the-story'];
const ASSERTIONS = Object.keys(EXPECTATIONS).length;

describe('lessons verify', () => {
  it('LE-7 runs the bootstrap fixture in two processes, and both say the same, bytes and all', async () => {
    const { stdout } = await exits(0, cli(['lessons', 'bootstrap'], { env: { TZ: 'Asia/Kathmandu' } }));
    const verified = documentOf(await exits(0, cli(['lessons', 'verify', '--json'], { cwd: '/' })));
    expect(verified).toStrictEqual({
      format: 'lessons-verify@1',
      assertions: ASSERTIONS,
      all_assertions_pass: true,
      stdout_sha256: [digestText(stdout), digestText(stdout)],
      projection_sha256: PROJECTION,
    });
    expect(Object.keys(verified as object)).toHaveLength(5);
    expect(ASSERTIONS).toBeGreaterThanOrEqual(43);
    expect(stdout.trimEnd().split('\n')).toHaveLength(ASSERTIONS + 1);
  });

  it("LE-7 says that the paper's hashes are another runner's, and that the thresholds are not calibrated", async () => {
    const { stdout } = await exits(0, cli(['lessons', 'verify']));
    expect(stdout).toContain(`${ASSERTIONS} of ${ASSERTIONS} assertions pass`);
    expect(stdout).toContain('sha256:de54f8842b75bd1de711bbf0d309fff83b53010203ecf5b6945033b869565713');
    expect(stdout).toMatch(/belong to another runner and are not reproduced/);
    expect(stdout).toMatch(/thresholds are not calibrated/);
    expect(stdout).toContain(String(PROJECTION));
  });
});

describe('a program that is not the one that was verified', () => {
  let copy: Awaited<ReturnType<typeof keptFolder>>;
  beforeAll(async () => {
    copy = await keptFolder();
    await cp(join(PROJECT, 'dist'), join(copy.path, 'dist'), { recursive: true });
    for (const name of ['node_modules', 'package.json']) await symlink(join(PROJECT, name), join(copy.path, name));
    return () => copy.remove();
  });

  /** What `lessons verify --json` says of the copy with one text of one file replaced, which is put back after. */
  async function verifiedWith(file: string, find: string, replace: string): Promise<CliResult> {
    const path = join(copy.path, 'dist/lessons', file);
    const text = await readFile(path, 'utf8');
    expect(text.split(find)).toHaveLength(2);
    await writeFile(path, text.replace(find, replace));
    const args = [join(copy.path, 'dist/cli/main.js'), 'lessons', 'verify', '--json'];
    const ended = await new Promise<CliResult>((resolve) => {
      const child = execFile(process.execPath, args, { timeout: 60_000 }, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode, signal: child.signalCode, stdout, stderr }),
      );
    });
    await writeFile(path, text);
    return ended;
  }

  it('LE-7 exits 3 where a rule is another one, and names the assertions that fail', async () => {
    const ended = await verifiedWith('threshold-profile.js', 'unassisted_successes: 3', 'unassisted_successes: 2');
    expect(ended.code).toBe(3);
    expect(documentOf(ended)).toMatchObject({ assertions: ASSERTIONS, all_assertions_pass: false });
    expect(ended.stderr).toContain('expiry/two-successes: expected [], found ["candidate>expired expired-unassisted"]');
  });

  it('LE-7 exits 3 where two processes differ, though every assertion passes', async () => {
    const ended = await verifiedWith(
      'bootstrap/run-bootstrap.js',
      "format: 'lessons-bootstrap@1',",
      "format: 'lessons-bootstrap@1', zone: Intl.DateTimeFormat().resolvedOptions().timeZone,",
    );
    expect(ended.code).toBe(3);
    const { stdout_sha256: [first, second] = [], ...rest } = documentOf(ended) as { stdout_sha256?: string[] };
    expect(rest).toMatchObject({ all_assertions_pass: true });
    expect(first).not.toBe(second);
    expect(ended.stderr).toContain('two processes gave different bytes');
  });
});
