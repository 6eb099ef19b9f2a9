import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import type { ReadEntry } from 'tar';
import { invalidInput, messageOf, RecallMatrixError } from '../../core/errors.js';
import { regularFile } from '../../core/text-file.js';
import { BUNDLE_LIMITS, type BundleManifest } from './bundle-format.js';
import { bundleRefused } from './bundle-refusals.js';
import { EntryWriter } from './entry-writer.js';
import type { PackedBundle } from './pack-bundle.js';
import { expectedSeal, SEAL_BYTES } from './seal.js';

/** A bundle whose files lie in a folder, each as its manifest lists it. */
export interface UnpackedBundle {
  readonly folder: string;
  readonly manifest: BundleManifest;
  /** Of `bundle.json`: the same for every archive of these files. */
  readonly digest: `sha256:${string}`;
}

/** Archives may be filled up to a whole record. */
const MOST_BEHIND = 65_536;

/**
 * Unpacks a bundle into an empty folder. The seal is checked first; then nothing is written but what the manifest, the first entry, lists, in its
 * order, of its size and digest: no link, no folder above, no second file of a name, no more bytes than it says (RS-4).
 *
 * @param folder of nobody else's.
 * @throws exit 2: `BUNDLE_UNREADABLE`, `BUNDLE_CHANGED`, `BUNDLE_MALFORMED`, `BUNDLE_ENTRY_REFUSED`, `BUNDLE_TOO_LARGE`, `BUNDLE_FILE_DIFFERS`.
 */
export async function unpackBundle(path: string, folder: string): Promise<UnpackedBundle & PackedBundle> {
  const { body, ...packed } = await sealedBytes(path);
  const writer = new EntryWriter(folder);
  const { Parser } = await import('tar');
  const failures: Error[] = [];
  const parser = new Parser({ strict: true, onReadEntry: (entry) => writer.take(entry) });
  parser.on('error', (error: Error) => failures.push(error));
  // Of a kind that this parser passes over, and another unpacks as a file.
  parser.on('ignoredEntry', ({ path: name, type }: ReadEntry) =>
    failures.push(
      bundleRefused('ENTRY_REFUSED', `the entry ${JSON.stringify(name)} is refused: it is of the kind ${type}`),
    ),
  );
  let behind = 0;
  let isOver = false;
  parser.on('eof', () => {
    isOver = true;
  });
  try {
    let unpacked = 0;
    const stream = createReadStream(path, { end: body - 1 }).pipe(createGunzip());
    for await (const chunk of stream) {
      unpacked += (chunk as Buffer).byteLength;
      if (unpacked > writer.mostBytes) throw bundleRefused('TOO_LARGE', `${path} unpacks to more than it lists`);
      // Behind an archive's end the parser would gather what it never reads.
      if (isOver) behind += (chunk as Buffer).byteLength;
      else parser.write(chunk as Buffer);
      if (behind > MOST_BEHIND) throw bundleRefused('MALFORMED', `${path} goes on behind the end of its archive`);
      if (failures[0] !== undefined) throw failures[0];
    }
    parser.end();
    if (failures[0] !== undefined) throw failures[0];
    return { folder, ...packed, ...writer.end() };
  } catch (error) {
    if (error instanceof RecallMatrixError) throw error;
    throw bundleRefused('MALFORMED', `${path} is no archive that can be read: ${messageOf(error)}`);
  } finally {
    writer.close();
  }
}

/** The archive as it lies there, and how many of its bytes the seal is of. */
async function sealedBytes(path: string): Promise<PackedBundle & { readonly body: number }> {
  let file: FileHandle | null = null;
  try {
    const { size } = await regularFile(path);
    if (size > BUNDLE_LIMITS.archive_bytes)
      throw bundleRefused('TOO_LARGE', `${path} has ${size} bytes; at most ${BUNDLE_LIMITS.archive_bytes} are read`);
    const body = size - SEAL_BYTES;
    if (body <= 0) throw bundleRefused('MALFORMED', `${path} is no bundle: it has ${size} bytes`);
    file = await open(path, 'r');
    const { buffer } = await file.read(Buffer.alloc(SEAL_BYTES), 0, SEAL_BYTES, body);
    const { digest, seal, sha256 } = await expectedSeal(path, body);
    if (!buffer.equals(seal))
      throw bundleRefused(
        'CHANGED',
        `${path} is not as it was sealed, or no bundle: its bytes have the digest ${digest}`,
      );
    return { body, bytes: size, sha256 };
  } catch (error) {
    if (error instanceof RecallMatrixError) throw error;
    throw invalidInput('BUNDLE_UNREADABLE', `cannot read ${path}: ${messageOf(error)}`, {
      remedy: 'name a bundle that you may read, as `recall-matrix export RUN --bundle FILE` writes it',
      cause: error,
    });
  } finally {
    await file?.close();
  }
}
