import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { digestBytes } from '../../core/digest.js';
import { makeFolder, PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE, readBounded } from '../../core/durable-files.js';
import { internalFault, invalidInput, messageOf, RecallMatrixError } from '../../core/errors.js';
import { BUNDLE_LIMITS, BUNDLE_MANIFEST, type BundledFile, isBundlePath } from './bundle-format.js';

/** Sees every file before it is written; throws what must not go out. */
export interface FileWatch {
  see(path: string, bytes: Buffer): Promise<void>;
  /** All files were seen. */
  end(): Promise<void>;
}

/** The files of a bundle while it is made: in a private folder beside where it goes, so that what is packed is what was looked at. */
export class BundleStage {
  readonly #files = new Map<string, BundledFile>();

  private constructor(
    readonly folder: string,
    private readonly watches: readonly FileWatch[],
  ) {}

  /** @throws `BUNDLE_NOT_WRITTEN` (exit 2). */
  static async open(target: string, watches: readonly FileWatch[]): Promise<BundleStage> {
    try {
      await makeFolder(dirname(target), PRIVATE_FOLDER_MODE);
      return new BundleStage(await mkdtemp(join(dirname(target), `.${basename(target)}.`)), watches);
    } catch (cause) {
      throw invalidInput('BUNDLE_NOT_WRITTEN', `cannot write beside ${target}: ${messageOf(cause)}`, {
        remedy: 'name a file in a folder that you may write to',
        cause,
      });
    }
  }

  /** Every file but the manifest, by path. */
  get files(): BundledFile[] {
    return [...this.#files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  /** @throws `BUNDLE_PATH_UNSAFE`, `BUNDLE_TOO_LARGE` (exit 2), and what the watches throw. */
  async write(path: string, bytes: Buffer): Promise<void> {
    if (!isBundlePath(path)) throw unsafe(path);
    if (this.#files.has(path)) throw internalFault('BUNDLE_FILE_TWICE', `${path} is put into the bundle twice`);
    if (bytes.byteLength > BUNDLE_LIMITS.file_bytes) throw tooLarge(path, bytes.byteLength);
    for (const watch of this.watches) await watch.see(path, bytes);
    await this.#put(path, bytes);
    this.#files.set(path, { path, bytes: bytes.byteLength, sha256: digestBytes(bytes) });
  }

  /** Copies a file as it is. @returns false where there is none. */
  async copy(path: string, from: string): Promise<boolean> {
    const bytes = await readWhole(from);
    if (bytes === null) return false;
    await this.write(path, bytes);
    return true;
  }

  /** Takes a file out again. */
  async takeOut(path: string): Promise<void> {
    this.#files.delete(path);
    await rm(join(this.folder, ...path.split('/')));
  }

  /** After the last file. */
  async writeManifest(bytes: Buffer): Promise<void> {
    for (const watch of this.watches) await watch.see(BUNDLE_MANIFEST, bytes);
    for (const watch of this.watches) await watch.end();
    await this.#put(BUNDLE_MANIFEST, bytes);
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  async #put(path: string, bytes: Buffer): Promise<void> {
    const to = join(this.folder, ...path.split('/'));
    await makeFolder(dirname(to), PRIVATE_FOLDER_MODE);
    // Not synced: what counts is the archive that is made of it.
    await writeFile(to, bytes, { flag: 'wx', mode: PRIVATE_FILE_MODE });
  }
}

/** A file of a run or of what it rests on; null where there is none. @throws `BUNDLE_SOURCE_UNREADABLE`, `BUNDLE_TOO_LARGE` (exit 2). */
export async function readWhole(path: string): Promise<Buffer | null> {
  try {
    return await readBounded(path, BUNDLE_LIMITS.file_bytes, (bytes) => tooLarge(path, bytes));
  } catch (cause) {
    if (cause instanceof RecallMatrixError) throw cause;
    throw invalidInput('BUNDLE_SOURCE_UNREADABLE', `cannot read ${path}: ${messageOf(cause)}`, {
      remedy: 'make it readable, or move it away',
      cause,
    });
  }
}

function tooLarge(path: string, bytes: number): Error {
  return invalidInput(
    'BUNDLE_TOO_LARGE',
    `${path} has ${bytes} bytes; a file of a bundle has at most ${BUNDLE_LIMITS.file_bytes}`,
    {
      remedy: 'export a run of fewer fixtures or questions',
    },
  );
}

function unsafe(path: string): Error {
  return invalidInput('BUNDLE_PATH_UNSAFE', `${JSON.stringify(path)} cannot be a path in a bundle`, {
    remedy: 'rename that file or folder: no control character, backslash or colon, at most 512 bytes',
  });
}
