import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { canonicalJson } from '../core/canonical-json.js';
import type { Clock } from '../core/clock.js';
import { crashPoint } from '../core/crash-points.js';
import { type Digest, digestText, shortDigest } from '../core/digest.js';
import {
  ensureFolder,
  PRIVATE_FILE_MODE,
  PRIVATE_FOLDER_MODE,
  writeExclusive,
  writeReplacing,
} from '../core/durable-files.js';
import { internalFault, invalidInput, messageOf } from '../core/errors.js';
import { type BlockId, blockName } from './block-id.js';

/** The lessons that a run was begun with, in its folder. */
export const LESSONS_FILE = 'lessons.json';

/** Where a run writes (DESIGN, Files). Every file is private. */
export class RunFolder {
  readonly #requests = new Set<Digest>();
  #requestsFolder: Promise<unknown> | null = null;

  private constructor(
    readonly id: string,
    readonly path: string,
    /** The folder below it that holds the rows that count, where they were scored again (RP-6); null: the run folder itself. */
    readonly rows: string | null,
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
        return new RunFolder(id, path, null);
      } catch (cause) {
        if ((cause as NodeJS.ErrnoException).code === 'EEXIST' && attempt < 100) continue;
        throw invalidInput('RUN_FOLDER_NOT_WRITABLE', `cannot make the run folder ${path}: ${messageOf(cause)}`, {
          remedy: 'name a folder that you may write to with --out',
          cause,
        });
      }
    }
  }

  /**
   * The folder of a run that is there already.
   *
   * @param rows `rows_folder` of its manifest.
   */
  static of(id: string, path: string, rows: string | null): RunFolder {
    return new RunFolder(id, path, rows);
  }

  get ledgerPath(): string {
    return join(this.path, 'ledger.jsonl');
  }

  /** The judges' verdicts, as they are given. */
  get judgementsPath(): string {
    return join(this.path, 'judgements.jsonl');
  }

  /** Rows as they are committed, in the order of their commits; the finalised file replaces it. */
  rowsPath(arm: string, block: BlockId): string {
    return join(this.#armPath(arm), `${blockName(block)}.rows.jsonl`);
  }

  observationsPath(arm: string, block: BlockId): string {
    return join(this.#armPath(arm), `${blockName(block)}.observations.jsonl`);
  }

  #armPath(arm: string): string {
    return join(this.path, this.rows ?? '', 'arms', arm);
  }

  /** The question vectors that no vector bank pins (VB-3). */
  queryVectorsPath(fixture: string): string {
    return join(this.path, 'vectors', `${fixture}.queries.jsonl`);
  }

  /** Takes over the question vectors of another run (VB-3); this one has none yet. */
  async takeOverQueryVectors(path: string, fixture: string): Promise<void> {
    const own = this.queryVectorsPath(fixture);
    await ensureFolder(dirname(own), PRIVATE_FOLDER_MODE);
    await writeExclusive(own, await readFile(path));
  }

  /** The questions that were prepared in vain, and why. */
  queryMissesPath(fixture: string): string {
    return join(this.path, 'vectors', `${fixture}.misses.jsonl`);
  }

  /** @param arm null for a state that all arms share. */
  statePath(block: BlockId, arm: string | null): string {
    const name = blockName(block);
    return arm === null ? join(this.path, 'state', `${name}.json`) : join(this.path, 'state', name, `${arm}.json`);
  }

  async prepareArm(arm: string): Promise<void> {
    await written(this.#armPath(arm), (path) => mkdir(path, { recursive: true, mode: PRIVATE_FOLDER_MODE }));
  }

  async writeManifest(manifest: unknown): Promise<void> {
    const text = `${JSON.stringify(manifest, null, 2)}\n`;
    await written(join(this.path, 'run.json'), (path) => writeReplacing(path, text));
    crashPoint('manifest-written');
  }

  /** @param file its name in the folder: a run that was extended keeps every matrix that it had (OB-8). */
  async writeMatrix(file: string, yaml: string): Promise<void> {
    await written(join(this.path, file), (path) => writeReplacing(path, yaml));
  }

  /** @param text the canonical JSON of a projection. */
  async writeLessons(text: string): Promise<void> {
    await written(join(this.path, LESSONS_FILE), (path) => writeReplacing(path, `${text}\n`));
  }

  /** @param arm null for a state that all arms share. */
  async writeState(block: BlockId, arm: string | null, state: unknown): Promise<void> {
    await written(this.statePath(block, arm), async (path) => {
      await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER_MODE });
      await writeReplacing(path, `${canonicalJson(state)}\n`);
    });
  }

  requestPath(digest: Digest): string {
    return join(this.path, 'requests', `${digest.replace(':', '-')}.json`);
  }

  /**
   * Keeps an exact request by its digest, once.
   *
   * @param text its canonical JSON, whose digest it is.
   */
  async keepRequest(digest: Digest, text: string): Promise<void> {
    if (this.#requests.has(digest)) return;
    this.#requests.add(digest);
    await written(this.requestPath(digest), async (path) => {
      this.#requestsFolder ??= mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER_MODE });
      await this.#requestsFolder;
      await writeFile(path, `${text}\n`, { mode: PRIVATE_FILE_MODE });
    });
  }

  /** Writes a cell's rows in load order; the journal of their commits has served its purpose then. */
  async finaliseRows(arm: string, block: BlockId, rows: readonly unknown[]): Promise<void> {
    const text = rows.map((row) => `${canonicalJson(row)}\n`).join('');
    await written(this.observationsPath(arm, block), (path) => writeReplacing(path, text));
    await rm(this.rowsPath(arm, block), { force: true });
  }
}

/** Writes below a run folder. A full disk or a folder that lost its rights is no fault of this program (RS-3). */
async function written(path: string, write: (path: string) => Promise<unknown>): Promise<void> {
  try {
    await write(path);
  } catch (cause) {
    throw internalFault('RUN_FOLDER_WRITE_FAILED', `cannot write ${path}: ${messageOf(cause)}`, {
      remedy:
        'free space on the disk, or make the folder writable, and resume the run: what was written before is intact',
      cause,
    });
  }
}
