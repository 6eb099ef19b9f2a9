import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { canonicalJson } from '../core/canonical-json.js';
import type { Clock } from '../core/clock.js';
import { type Digest, digestText, shortDigest } from '../core/digest.js';
import { ensureFolder, PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE, writeReplacing } from '../core/durable-files.js';
import { invalidInput, messageOf } from '../core/errors.js';

/** Where a run writes (DESIGN, Files). Every file is private. */
export class RunFolder {
  readonly #requests = new Set<Digest>();

  private constructor(
    readonly id: string,
    readonly path: string,
  ) {}

  /**
   * Makes a new run's folder under `out`, exclusively: a run never shares a folder with another.
   *
   * @param purpose the matrix's name, with the verb where it is not `run`.
   */
  static async create(out: string, purpose: string, seedText: string, clock: Clock): Promise<RunFolder> {
    await ensureFolder(out, PRIVATE_FOLDER_MODE);
    const startedAt = clock.now();
    const stamp = startedAt
      .replace(/[-:]/g, '')
      .replace(/\.\d+Z$/, '')
      .replace('T', '-');
    for (let attempt = 0; ; attempt += 1) {
      const suffix = shortDigest(digestText(`${seedText}\0${startedAt}\0${process.pid}\0${attempt}`), 4);
      const id = `${purpose}-${stamp}-${suffix}`;
      const path = join(resolve(out), id);
      try {
        await mkdir(path, { mode: PRIVATE_FOLDER_MODE });
        return new RunFolder(id, path);
      } catch (cause) {
        if ((cause as NodeJS.ErrnoException).code === 'EEXIST' && attempt < 100) continue;
        throw invalidInput('RUN_FOLDER_NOT_WRITABLE', `cannot make the run folder ${path}: ${messageOf(cause)}`, {
          remedy: 'name a folder that you may write to with --out',
          cause,
        });
      }
    }
  }

  get ledgerPath(): string {
    return join(this.path, 'ledger.jsonl');
  }

  /** Rows as they are committed, in the order of their commits; the finalised file replaces it. */
  rowsPath(arm: string, fixture: string): string {
    return join(this.path, 'arms', arm, `${fixture}.rows.jsonl`);
  }

  observationsPath(arm: string, fixture: string): string {
    return join(this.path, 'arms', arm, `${fixture}.observations.jsonl`);
  }

  async prepareArm(arm: string): Promise<void> {
    await mkdir(join(this.path, 'arms', arm), { recursive: true, mode: PRIVATE_FOLDER_MODE });
  }

  async writeManifest(manifest: unknown): Promise<void> {
    await writeReplacing(join(this.path, 'run.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  }

  async writeMatrix(yaml: string): Promise<void> {
    await writeReplacing(join(this.path, 'matrix.resolved.yaml'), yaml);
  }

  /** @param arm null for a state that all arms share. */
  async writeState(fixture: string, arm: string | null, state: unknown): Promise<void> {
    const folder = arm === null ? join(this.path, 'state') : join(this.path, 'state', fixture);
    await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER_MODE });
    await writeReplacing(join(folder, `${arm ?? fixture}.json`), `${canonicalJson(state)}\n`);
  }

  /**
   * Keeps an exact request by its digest, once.
   *
   * @param text its canonical JSON, whose digest it is.
   */
  async keepRequest(digest: Digest, text: string): Promise<void> {
    if (this.#requests.has(digest)) return;
    if (this.#requests.size === 0)
      await mkdir(join(this.path, 'requests'), { recursive: true, mode: PRIVATE_FOLDER_MODE });
    this.#requests.add(digest);
    const path = join(this.path, 'requests', `${digest.replace(':', '-')}.json`);
    await writeFile(path, `${text}\n`, { mode: PRIVATE_FILE_MODE });
  }

  /** Writes a cell's rows in load order; the journal of their commits has served its purpose then. */
  async finaliseRows(arm: string, fixture: string, rows: readonly unknown[]): Promise<void> {
    await writeReplacing(this.observationsPath(arm, fixture), rows.map((row) => `${canonicalJson(row)}\n`).join(''));
    await rm(this.rowsPath(arm, fixture), { force: true });
  }
}

/**
 * Finds a run: an id under `out`, `latest`, or a folder.
 *
 * @throws `RUN_NOT_FOUND` (exit 2).
 */
export async function findRun(out: string, run: string): Promise<string> {
  const candidates = run === 'latest' ? [await latestRun(out)] : [join(resolve(out), run), resolve(run)];
  for (const candidate of candidates) {
    if (candidate !== null && (await isRun(candidate))) return candidate;
  }
  throw invalidInput(
    'RUN_NOT_FOUND',
    run === 'latest' ? `there is no run in ${resolve(out)}` : `${run} is no run in ${resolve(out)} and no run folder`,
    {
      remedy: 'name a run id, `latest` or a run folder; --out says where the runs lie',
    },
  );
}

async function isRun(path: string): Promise<boolean> {
  return stat(join(path, 'run.json')).then(
    () => true,
    () => false,
  );
}

async function latestRun(out: string): Promise<string | null> {
  let names: string[];
  try {
    names = await readdir(resolve(out));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  let latest: { startedAt: string; path: string } | null = null;
  for (const name of names.sort()) {
    const path = join(resolve(out), name);
    if (!(await isRun(path))) continue;
    const { started_at: startedAt } = JSON.parse(await readFile(join(path, 'run.json'), 'utf8')) as {
      started_at: string;
    };
    if (latest === null || startedAt >= latest.startedAt) latest = { startedAt, path };
  }
  return latest?.path ?? null;
}
