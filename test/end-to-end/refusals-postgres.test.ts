import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CliOptions, cli, closedPort, documentOf, exits, PROJECT } from '../support/cli.js';
import { namesIn, writeSmall } from '../support/small-matrix.js';

/** A server of its own, that cannot start. */
const FEW_FILES = {
  database: null,
  env: { NODE_OPTIONS: `--require ${join(PROJECT, 'test', 'support', 'few-files-for-children.cjs')}` },
};

describe('Postgres that cannot be had', () => {
  it.each(['run', 'record'])(
    'PG-3 %s against a closed port: exit 8 with its words and the remedy; nothing is made',
    async (verb) => {
      const small = await writeSmall();
      const port = await closedPort();
      const url = `postgres://me:pass-4711@127.0.0.1:${port}/postgres`;
      const result = await exits(8, small.run(verb, ['--database-url', url], { database: null }));
      expect(result.stdout).toBe('');
      expect(result.stderr).toMatch(
        new RegExp(`POSTGRES_UNREACHABLE: .*127\\.0\\.0\\.1:${port}.*ECONNREFUSED.*\\n {2}remedy: \\S`),
      );
      expect(result.stderr).not.toContain('pass-4711');
      expect(await namesIn(small.runs)).toEqual([]);
      expect(await namesIn(small.banks)).toEqual([]);
    },
  );

  it('PG-3 CL-4 the same as a document', async () => {
    const small = await writeSmall();
    const url = `postgres://me@127.0.0.1:${await closedPort()}/postgres`;
    const result = await exits(8, small.run('run', ['--json', '--database-url', url], { database: null }));
    expect(documentOf(result)).toMatchObject({
      format: 'error@1',
      errors: [{ kind: 'database', code: 'POSTGRES_UNREACHABLE', remedy: expect.stringMatching(/\S/) }],
    });
  });

  it('PG-3 a URL that cannot be read: exit 2, and its password is not repeated', async () => {
    const small = await writeSmall();
    const result = await exits(2, small.run('run', ['--database-url', 'mysql://me:pass-4711@x/y'], { database: null }));
    expect(result.stderr).toMatch(/POSTGRES_BAD_URL: .*\n {2}remedy: write it as postgres:/);
    expect(result.stderr).not.toContain('pass-4711');
  });

  it.skipIf(process.platform === 'win32')(
    "PG-3 a local server that does not start: exit 8 with the server's own words and the remedy; control: it starts otherwise",
    async () => {
      const small = await writeSmall();
      const words = /FATAL: {2}insufficient file descriptors available to start server process/;
      const start = (options: CliOptions) => cli(['run', 'm.yaml', '--out', 'runs'], { cwd: small.folder, ...options });
      const result = await exits(8, start(FEW_FILES));
      expect(result.stdout).toBe('');
      expect(result.stderr).toMatch(new RegExp(`POSTGRES_DID_NOT_START: .*${words.source}`));
      expect(result.stderr).toMatch(/\n {2}remedy: .*--database-url/);
      expect(await namesIn(small.runs)).toEqual([]);
      expect(await namesIn(small.banks)).toEqual([]);

      const doctor = documentOf(await exits(8, cli(['doctor', '--json'], FEW_FILES))) as Doctor;
      expect(doctor.checks.filter(({ ok }) => !ok)).toEqual([
        {
          name: 'postgres',
          ok: false,
          found: expect.stringMatching(words),
          remedy: expect.stringContaining('--database-url'),
        },
      ]);

      await exits(0, start({ database: null }));
      const [run] = await namesIn(small.runs);
      expect(await namesIn(join(small.runs, run ?? ''))).toContain('ledger.jsonl');
    },
  );
});

interface Doctor {
  readonly checks: readonly { readonly name: string; readonly ok: boolean }[];
}
