import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Header, Parser, Pax } from 'tar';
import { digestBytes } from '../../src/core/digest.js';
import { type BundleManifest, bundleStatements, manifestBytes } from '../../src/experiment/bundle/bundle-format.js';
import { SEAL_BYTES, sealOf } from '../../src/experiment/bundle/seal.js';

/** An entry of a hand-made archive; a regular file where nothing else is said. */
export interface CraftedEntry {
  readonly path: string;
  readonly bytes?: Buffer;
  readonly type?: 'File' | 'SymbolicLink' | 'Link' | 'Directory' | 'CharacterDevice' | 'FIFO';
  readonly linkpath?: string;
  /** What its header says, where that is not so. */
  readonly size?: number;
  /** A header before its header, of so many bytes and no use, and nothing behind it. */
  readonly pax?: number;
}

/** The entries of a bundle, in their order. */
export async function entriesOf(bundle: string): Promise<CraftedEntry[]> {
  const bytes = await readFile(bundle);
  const entries: CraftedEntry[] = [];
  const parser = new Parser({
    strict: true,
    onReadEntry: (entry) => {
      const chunks: Buffer[] = [];
      entry.on('data', (chunk: Buffer) => chunks.push(chunk));
      entry.on('end', () => entries.push({ path: entry.path, bytes: Buffer.concat(chunks) }));
    },
  });
  parser.end(gunzipSync(bytes.subarray(0, bytes.byteLength - SEAL_BYTES)));
  return entries;
}

/** A sealed archive of any entries: as somebody would make it who knows how. */
export function sealedArchive(entries: readonly CraftedEntry[], behind: Buffer = Buffer.alloc(0)): Buffer {
  const body = gzipSync(Buffer.concat([...entries.map(entryBytes), Buffer.alloc(1024), behind]));
  return Buffer.concat([body, sealOf(digestBytes(body))]);
}

function entryBytes({ pax, path, bytes = Buffer.alloc(0), type = 'File', linkpath, size }: CraftedEntry): Buffer {
  if (pax !== undefined) return new Pax({ path, comment: 'x'.repeat(pax) } as never).encode();
  const header = new Header({
    path,
    type,
    mode: 0o600,
    size: size ?? bytes.byteLength,
    ...(linkpath === undefined ? {} : { linkpath }),
  });
  const block = Buffer.alloc(512);
  const needsPax = header.encode(block, 0);
  const before = needsPax ? new Pax({ path, size: bytes.byteLength }).encode() : Buffer.alloc(0);
  return Buffer.concat([before, block, bytes, Buffer.alloc((512 - (bytes.byteLength % 512)) % 512)]);
}

/** A manifest that lists files. */
export function manifestOf(files: readonly CraftedEntry[], more: Partial<BundleManifest> = {}): CraftedEntry {
  const listed = files.map(({ path, bytes = Buffer.alloc(0) }) => ({
    path,
    bytes: bytes.byteLength,
    sha256: digestBytes(bytes),
  }));
  const manifest: BundleManifest = {
    ...bundleStatements(false),
    run: 'run-1',
    matrix: digestBytes(Buffer.from('matrix')),
    redaction: null,
    matrix_file: null,
    missing: [],
    changed: [],
    files: listed,
    ...more,
  };
  return { path: 'bundle.json', bytes: manifestBytes(manifest) };
}

/**
 * A bundle with changed files, listed and sealed anew: what only a look at its content can find.
 *
 * @param change gives a file's new bytes; null takes it out, undefined leaves it.
 * @returns where it lies.
 */
export async function tamperedBundle(
  bundle: string,
  change: (path: string, bytes: Buffer) => Buffer | string | null | undefined,
  more: (manifest: BundleManifest) => Partial<BundleManifest> = () => ({}),
): Promise<string> {
  const [first, ...files] = await entriesOf(bundle);
  const manifest = JSON.parse((first?.bytes ?? Buffer.alloc(0)).toString('utf8')) as BundleManifest;
  const changed = files.flatMap((entry) => {
    const bytes = change(entry.path, entry.bytes as Buffer);
    if (bytes === null) return [];
    return [bytes === undefined ? entry : { ...entry, bytes: Buffer.from(bytes) }];
  });
  const { files: _files, ...rest } = manifest;
  const path = join(dirname(bundle), `tampered-${Math.random().toString(16).slice(2)}.tar.gz`);
  await writeFile(path, sealedArchive([manifestOf(changed, { ...rest, ...more(manifest) }), ...changed]));
  return path;
}
