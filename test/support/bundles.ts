import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Header, Parser, Pax } from 'tar';
import { canonicalJson } from '../../src/core/canonical-json.js';
import { digestBytes, digestJson, digestText } from '../../src/core/digest.js';
import { type BundleManifest, bundleStatements, manifestBytes } from '../../src/experiment/bundle/bundle-format.js';
import { SEAL_BYTES, sealOf } from '../../src/experiment/bundle/seal.js';
import type { Observation } from '../../src/experiment/experiment.js';
import { programDigest } from '../../src/experiment/program-digest.js';
import { openRunRecord } from '../../src/experiment/reading/open-run-record.js';
import { RunFolder } from '../../src/experiment/run-folder.js';
import type { RunManifest } from '../../src/experiment/run-record.js';
import type { Fixture } from '../../src/fixture/fixture.js';
import { type RecordedRunDescription, writeRecordedRun } from './recorded-run.js';

/** What a run of this very program says of it: its figures are then held to what this program makes of its rows. */
export const OWN_TOOL: RunManifest['tool'] = {
  version: '0.1.0',
  node: 'v20.0.0',
  implementation: programDigest(),
  program: programDigest(),
  packages: {},
};

/** An entry of a hand-made archive; a regular file where nothing else is said. */
export interface CraftedEntry {
  readonly path: string;
  readonly bytes?: Buffer;
  readonly type?: 'File' | 'SymbolicLink' | 'Link' | 'Directory' | 'CharacterDevice' | 'FIFO';
  readonly linkpath?: string;
  /** The letter of its kind in its header, where no name of a kind says it. */
  readonly letter?: string;
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

function entryBytes({
  pax,
  path,
  bytes = Buffer.alloc(0),
  type = 'File',
  linkpath,
  size,
  letter,
}: CraftedEntry): Buffer {
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
  if (letter !== undefined) writeLetter(block, letter);
  const before = needsPax ? new Pax({ path, size: bytes.byteLength }).encode() : Buffer.alloc(0);
  return Buffer.concat([before, block, bytes, Buffer.alloc((512 - (bytes.byteLength % 512)) % 512)]);
}

/** Changes the kind in a header, and its checksum, which is reckoned with spaces in its own place. */
function writeLetter(block: Buffer, letter: string): void {
  block.write(letter, 156, 'latin1');
  block.fill(' ', 148, 156);
  const sum = block.reduce((all, byte) => all + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
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

/**
 * A made-up run whose rows name requests that hold their prompt, context and question, as a real run's do.
 *
 * @returns the run folder.
 */
export async function soundRun(description: RecordedRunDescription = {}): Promise<string> {
  const path = await writeRecordedRun(description);
  const { matrix, manifest, ...record } = await openRunRecord(path);
  const files = RunFolder.of(manifest.run, path, null);
  const { text, digest } = matrix.reader.prompt;
  for await (const { arm, fixture: id, replicate, rows } of record.cells()) {
    const fixture = (await record.fixture(id)) as Fixture;
    const asked: Observation[] = [];
    for (const row of rows) {
      const own = fixture.questions.find((one) => one.id === row.question);
      const context = [`of ${row.question}`];
      const user = canonicalJson({ context, present: own?.asked_at, question: own?.question });
      const messages = [
        { role: 'system', content: text },
        { role: 'user', content: user },
      ];
      const request = canonicalJson({ model: matrix.reader.model, messages });
      await files.keepRequest(digestText(request), request);
      const shown = row.context === null ? null : { ...row.context, digest: digestJson(context) };
      asked.push({ ...row, prompt: digest, context: shown, request: digestText(request) });
    }
    await files.finaliseRows(arm, { fixture: id, replicate }, asked);
  }
  return path;
}
