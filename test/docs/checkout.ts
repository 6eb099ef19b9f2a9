import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { madeUpLocomo } from '../support/locomo-sample.js';
import { writeLongMemEval } from '../support/longmemeval-sample.js';

/** What a command left. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs of whole matrices whose like is run whole elsewhere: here they ask a sample of the questions. */
const SAMPLED: ReadonlyMap<string, string> = new Map([
  ['node dist/cli/main.js run matrices/quickstart.yaml --out runs', ' --sample 20'],
  ['node scripts/nightly.mjs', ' --run-flag=--sample=20'],
]);

/** A copy of what a user's checkout holds, beside a folder for data: commands write there, and nowhere else. */
export class Checkout {
  private constructor(
    private readonly root: string,
    readonly path: string,
  ) {}

  static async make(project: string): Promise<Checkout> {
    const root = await mkdtemp(join(tmpdir(), 'recall-matrix-docs-'));
    const path = join(root, 'checkout');
    await mkdir(path);
    // Without shipped banks the first run records them; another test wants them there.
    const held = ['matrices', 'fixtures', 'banks'].filter((name) => existsSync(join(project, name)));
    for (const name of held) await cp(join(project, name), join(path, name), { recursive: true });
    await rm(join(path, 'matrices/.env'), { force: true });
    for (const name of ['dist', 'node_modules', 'package.json', 'scripts'])
      await symlink(join(project, name), join(path, name));
    await writeFile(join(root, 'LOCOMO.json'), JSON.stringify(madeUpLocomo()));
    const shape = { questions: 6, sessions: 3, turns: 4, irregular: true };
    await writeLongMemEval(join(root, 'LONGMEMEVAL.json'), shape);
    return new Checkout(root, path);
  }

  /**
   * Runs a command line as a user's shell does, the placeholders of the pages replaced; killed with its children after `timeoutMs`.
   *
   * @param database the server to use; null: as a user's command does, a server of its own.
   */
  async run(text: string, timeoutMs: number, database: string | null): Promise<Ended> {
    const line = await this.#substituted(text);
    const { OPENAI_API_KEY: _key, RECALL_MATRIX_DATABASE_URL: _url, ...environment } = process.env;
    const child = spawn('sh', ['-c', line], {
      cwd: this.path,
      env: { ...environment, ...(database === null ? {} : { RECALL_MATRIX_DATABASE_URL: database }) },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (chunk: string) => {
        output[name] += chunk;
      });
    }
    const timer = setTimeout(() => process.kill(-(child.pid as number), 'SIGKILL'), timeoutMs);
    try {
      const code = await new Promise<number | null>((resolve, reject) => {
        child.on('error', reject).on('close', resolve);
      });
      return { code, ...output };
    } finally {
      clearTimeout(timer);
    }
  }

  remove(): Promise<void> {
    return rm(this.root, { recursive: true, force: true });
  }

  /** The pages' placeholders: `LOCOMO.json` and `LONGMEMEVAL.json` made-up files in those layouts, `DATA` a folder outside, `NAME` the bank of harbour-clinic, `DIGEST` the digits in its name. */
  async #substituted(text: string): Promise<string> {
    const replaced = `${text}${SAMPLED.get(text) ?? ''}`
      .replaceAll(/\bDATA\b/g, join(this.root, 'data'))
      .replace('LOCOMO.json', join(this.root, 'LOCOMO.json'))
      .replace('LONGMEMEVAL.json', join(this.root, 'LONGMEMEVAL.json'));
    if (!/\b(NAME|DIGEST)\b/.test(replaced)) return replaced;
    const bank = (await readdir(join(this.path, 'banks'))).find((name) => /^harbour-clinic-.*\.bank\.json$/.test(name));
    if (bank === undefined) throw new Error('there is no bank of harbour-clinic for NAME');
    const name = bank.replace(/\.bank\.json$/, '');
    return replaced.replace('NAME', name).replace('DIGEST', name.slice(-12));
  }
}
