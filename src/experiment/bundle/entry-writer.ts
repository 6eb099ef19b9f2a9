import { createHash, type Hash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ReadEntry } from 'tar';
import { type Digest, digestBytes } from '../../core/digest.js';
import { PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE } from '../../core/durable-files.js';
import { messageOf } from '../../core/errors.js';
import {
  BUNDLE_LIMITS,
  BUNDLE_MANIFEST,
  type BundledFile,
  type BundleManifest,
  bundleManifestSchema,
} from './bundle-format.js';
import { bundleRefused } from './bundle-refusals.js';

/** An entry has a header, a filling of less than a block, and for a long name another two. */
const ENTRY_BYTES = 4096;
/** Of the manifest's own entry, and of the end. */
const MORE_BYTES = 131_072;

/** An entry under way. */
interface OpenEntry {
  readonly listed: BundledFile;
  readonly hash: Hash;
  readonly descriptor: number;
}

/**
 * Takes the entries of an archive, one after another, as a bundle's manifest lists them. What it throws ends the reading. Writing waits for the disk:
 * an archive that is read faster than it is written would gather in memory.
 */
export class EntryWriter {
  manifest: BundleManifest | null = null;
  /** How long the archive may be, unpacked, as far as is known. */
  mostBytes = BUNDLE_LIMITS.manifest_bytes + MORE_BYTES;
  #digest: Digest | null = null;
  #next = 0;
  #open: OpenEntry | null = null;

  /** @param folder empty, and of nobody else's. */
  constructor(private readonly folder: string) {}

  /** @throws `BUNDLE_ENTRY_REFUSED`, `BUNDLE_MALFORMED`, `BUNDLE_TOO_LARGE`, `BUNDLE_FILE_DIFFERS`. */
  take(entry: ReadEntry): void {
    const { path, type } = entry;
    if (type !== 'File') throw refused(path, `it is of the kind ${type}`);
    if (this.manifest === null) this.#takeManifest(entry);
    else this.#takeListed(entry, this.manifest);
  }

  #takeListed(entry: ReadEntry, manifest: BundleManifest): void {
    const { path, size } = entry;
    const listed = manifest.files[this.#next];
    if (listed?.path !== path) throw refused(path, `the next file that is listed is ${listed?.path ?? 'none'}`);
    if (listed.bytes !== size) throw differs(path, `it has ${size} bytes, and ${listed.bytes} are listed`);
    this.#next += 1;
    const opened = this.#create(listed);
    this.#open = opened;
    entry.on('data', (chunk: Buffer) => {
      opened.hash.update(chunk);
      writeSync(opened.descriptor, chunk);
    });
    entry.on('end', () => this.#finish(opened));
  }

  /** @throws `BUNDLE_MALFORMED` where a file that is listed did not come. */
  end(): { readonly manifest: BundleManifest; readonly digest: Digest } {
    if (this.manifest === null || this.#digest === null)
      throw bundleRefused('MALFORMED', `the archive has no ${BUNDLE_MANIFEST}`);
    const missing = this.manifest.files[this.#open === null ? this.#next : this.#next - 1];
    if (missing !== undefined)
      throw bundleRefused('MALFORMED', `${missing.path} is listed and not there`, missing.path);
    return { manifest: this.manifest, digest: this.#digest };
  }

  close(): void {
    if (this.#open !== null) closeSync(this.#open.descriptor);
    this.#open = null;
  }

  #takeManifest(entry: ReadEntry): void {
    if (entry.path !== BUNDLE_MANIFEST) throw refused(entry.path, `the first entry is not ${BUNDLE_MANIFEST}`);
    if (entry.size > BUNDLE_LIMITS.manifest_bytes)
      throw bundleRefused('TOO_LARGE', `${BUNDLE_MANIFEST} has ${entry.size} bytes`);
    const chunks: Buffer[] = [];
    entry.on('data', (chunk: Buffer) => chunks.push(chunk));
    entry.on('end', () => {
      const bytes = Buffer.concat(chunks);
      this.manifest = readBundleManifest(bytes);
      this.#digest = digestBytes(bytes);
      const listed = this.manifest.files.reduce((sum, file) => sum + file.bytes + ENTRY_BYTES, 0);
      this.mostBytes = bytes.byteLength + listed + MORE_BYTES;
      const descriptor = openSync(join(this.folder, BUNDLE_MANIFEST), 'wx', PRIVATE_FILE_MODE);
      writeSync(descriptor, bytes);
      closeSync(descriptor);
    });
  }

  #create(listed: BundledFile): OpenEntry {
    const path = join(this.folder, ...listed.path.split('/'));
    mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER_MODE });
    return { listed, hash: createHash('sha256'), descriptor: openSync(path, 'wx', PRIVATE_FILE_MODE) };
  }

  #finish({ listed, hash }: OpenEntry): void {
    this.close();
    const found = `sha256:${hash.digest('hex')}`;
    if (found !== listed.sha256)
      throw differs(listed.path, `it has the digest ${found}, and ${listed.sha256} is listed`);
  }
}

/** @throws `BUNDLE_MALFORMED`, `BUNDLE_TOO_LARGE`. */
function readBundleManifest(bytes: Buffer): BundleManifest {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw bundleRefused('MALFORMED', `${BUNDLE_MANIFEST} is no JSON: ${messageOf(cause)}`, BUNDLE_MANIFEST);
  }
  const parsed = bundleManifestSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw bundleRefused(
      'MALFORMED',
      `${BUNDLE_MANIFEST}: ${issue?.path.join('.')}: ${issue?.message}`,
      BUNDLE_MANIFEST,
    );
  }
  const total = parsed.data.files.reduce((sum, file) => sum + file.bytes, 0);
  if (total > BUNDLE_LIMITS.total_bytes)
    throw bundleRefused(
      'TOO_LARGE',
      `its files have ${total} bytes; at most ${BUNDLE_LIMITS.total_bytes} are unpacked`,
    );
  const seen = new Set<string>();
  const twice = parsed.data.files.find(({ path }) => seen.size === seen.add(path).size);
  if (twice !== undefined) throw refused(twice.path, 'it is listed twice');
  return parsed.data;
}

function refused(path: string, why: string): Error {
  return bundleRefused('ENTRY_REFUSED', `the entry ${JSON.stringify(path)} is refused: ${why}`, path);
}

function differs(path: string, why: string): Error {
  return bundleRefused('FILE_DIFFERS', `${path} is not the file that is listed: ${why}`, path);
}
