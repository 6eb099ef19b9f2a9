import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Digest } from '../../core/digest.js';
import { PRIVATE_FILE_MODE, syncFolder } from '../../core/durable-files.js';
import { invalidInput, messageOf } from '../../core/errors.js';
import { sealOf } from './seal.js';

/** An archive that was written. */
export interface PackedBundle {
  readonly bytes: number;
  /** Of the whole file, its seal included: what `sha256sum` prints of it. */
  readonly sha256: Digest;
}

/**
 * Packs files into one archive, a gzipped tar with a seal at its end: aside, synced, then under its name. The same files give the same bytes:
 * no time, user or order of a folder is in it (of one version of zlib).
 *
 * @param files relative to `folder`, in the order in which they are to stand.
 * @param replaces whether a file of that name may be there.
 * @throws exit 2: `BUNDLE_EXISTS`, `BUNDLE_NOT_WRITTEN`.
 */
export async function packBundle(
  folder: string,
  files: readonly string[],
  path: string,
  replaces: boolean,
): Promise<PackedBundle> {
  const aside = `${folder}.tar.gz.tmp`;
  try {
    const packed = await writeArchive(folder, files, aside);
    if (replaces) await rename(aside, path);
    else await link(aside, path);
    await syncFolder(dirname(path));
    return packed;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') throw exists(path);
    throw invalidInput('BUNDLE_NOT_WRITTEN', `cannot write ${path}: ${messageOf(cause)}`, {
      remedy: 'name a file that you may write to, with room for it',
      cause,
    });
  } finally {
    await rm(aside, { force: true });
  }
}

/** The refusal to replace a file. */
export function exists(path: string): Error {
  return invalidInput('BUNDLE_EXISTS', `${path} is there already`, {
    remedy: 'name another file, or replace it with --force',
  });
}

async function writeArchive(folder: string, files: readonly string[], path: string): Promise<PackedBundle> {
  const { create } = await import('tar');
  const archive = create({ cwd: folder, portable: true, mtime: new Date(0), strict: true }, [...files]);
  const sealing = new Sealing();
  const file = createWriteStream(path, { flags: 'wx', mode: PRIVATE_FILE_MODE, flush: true });
  await pipeline(Readable.from(archive, { objectMode: false }), createGzip(), sealing, file);
  return sealing.sealed;
}

/** Lets bytes through, and adds their seal. */
class Sealing extends Transform {
  readonly #body = createHash('sha256');
  readonly #whole = createHash('sha256');
  #bytes = 0;

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.#body.update(chunk);
    this.#whole.update(chunk);
    this.#bytes += chunk.byteLength;
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    const seal = sealOf(`sha256:${this.#body.digest('hex')}`);
    this.#whole.update(seal);
    this.#bytes += seal.byteLength;
    done(null, seal);
  }

  get sealed(): PackedBundle {
    return { bytes: this.#bytes, sha256: `sha256:${this.#whole.digest('hex')}` };
  }
}
