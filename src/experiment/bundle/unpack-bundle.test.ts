import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type CraftedEntry, manifestOf, sealedArchive } from '../../../test/support/bundles.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { digestBytes } from '../../core/digest.js';
import { isBundlePath } from './bundle-format.js';
import { sealOf } from './seal.js';
import { unpackBundle } from './unpack-bundle.js';

const FILES: readonly CraftedEntry[] = [
  { path: 'run/a.json', bytes: Buffer.from('a') },
  { path: 'run/deep/b.json', bytes: Buffer.from('') },
  { path: `workspace/${'long/'.repeat(60)}c.json`, bytes: Buffer.from('c'.repeat(2000)) },
];

async function unpacked(archive: Buffer): Promise<string> {
  const parent = await temporaryFolder();
  const folder = join(parent, 'in', 'here');
  await mkdir(folder, { recursive: true });
  await writeFile(join(parent, 'b.tar.gz'), archive);
  await unpackBundle(join(parent, 'b.tar.gz'), folder);
  return folder;
}

let lastMessage = '';

/** The code of a refusal; nothing was written above the folder. */
async function refusal(archive: Buffer): Promise<string> {
  const parent = await temporaryFolder();
  const folder = join(parent, 'in', 'here');
  await mkdir(folder, { recursive: true });
  await writeFile(join(parent, 'b.tar.gz'), archive);
  const error = await unpackBundle(join(parent, 'b.tar.gz'), folder).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(await readdir(parent)).toEqual(['b.tar.gz', 'in']);
  expect(await readdir(join(parent, 'in'))).toEqual(['here']);
  expect(error).toMatchObject({ kind: 'invalid-input', remedy: expect.stringMatching(/\w/) });
  lastMessage = (error as Error).message;
  return (error as { code: string }).code;
}

const listed = (entries: readonly CraftedEntry[], ...more: CraftedEntry[]): Buffer =>
  sealedArchive([manifestOf(entries), ...entries, ...more]);

describe('RP-7 unpacking a bundle', () => {
  it('RP-7 writes every listed file, of long names too, for its owner alone', async () => {
    const folder = await unpacked(listed(FILES));
    for (const { path, bytes } of FILES) {
      expect(await readFile(join(folder, path))).toEqual(bytes);
      expect((await stat(join(folder, path))).mode & 0o777).toBe(0o600);
    }
    expect((await stat(join(folder, 'run'))).mode & 0o777).toBe(0o700);
  });

  it('RP-7 RS-4 refuses every entry that is no listed regular file: links, devices, folders, other names, repeats', async () => {
    const [a, ...rest] = FILES as [CraftedEntry, ...CraftedEntry[]];
    const entries: readonly CraftedEntry[] = [
      { path: 'run/a.json', type: 'SymbolicLink', linkpath: '/etc/passwd' },
      { path: 'run/a.json', type: 'Link', linkpath: 'bundle.json' },
      { path: 'run/a.json', type: 'CharacterDevice' },
      { path: 'run/a.json', type: 'FIFO' },
      { path: 'run', type: 'Directory' },
      { path: '../a.json', bytes: a.bytes as Buffer },
      { path: '/tmp/recall-matrix-escaped.json', bytes: a.bytes as Buffer },
      { path: 'run/other.json', bytes: a.bytes as Buffer },
    ];
    for (const entry of entries)
      expect(await refusal(sealedArchive([manifestOf(FILES), entry, ...rest])), JSON.stringify(entry.path)).toBe(
        'BUNDLE_ENTRY_REFUSED',
      );
    expect(existsSync('/tmp/recall-matrix-escaped.json')).toBe(false);
    // Kinds that nobody knows, parts of files and labels: other programs unpack some of them as files.
    for (const letter of ['Z', 'S', 'M', 'V'])
      expect(await refusal(listed(FILES, { path: 'run/z.sh', bytes: Buffer.from('z'), letter })), letter).toBe(
        'BUNDLE_ENTRY_REFUSED',
      );
    // One more than is listed, the same again, and another order.
    expect(await refusal(listed(FILES, { path: 'run/z.json' }))).toBe('BUNDLE_ENTRY_REFUSED');
    expect(await refusal(listed(FILES, a))).toBe('BUNDLE_ENTRY_REFUSED');
    expect(await refusal(sealedArchive([manifestOf(FILES), ...rest, a]))).toBe('BUNDLE_ENTRY_REFUSED');
    expect(await refusal(sealedArchive([a, manifestOf(FILES)]))).toBe('BUNDLE_ENTRY_REFUSED');
  });

  it('RP-7 RS-4 refuses a manifest that lists a path which leaves the folder, or one twice', async () => {
    const paths = ['../a', 'run/../../a', '/etc/a', 'run//a', './a', 'run\\a', 'C:/a', 'run/\u0000a', 'run/.env', ''];
    for (const path of paths) {
      expect(isBundlePath(path), path).toBe(false);
      expect(await refusal(sealedArchive([manifestOf([{ path }])])), path).toBe('BUNDLE_MALFORMED');
    }
    const [a] = FILES as [CraftedEntry];
    expect(await refusal(listed([a, a]))).toBe('BUNDLE_ENTRY_REFUSED');
  });

  it('RP-7 refuses a file of other bytes or another size than is listed, one that is missing, and no manifest', async () => {
    const [a, ...rest] = FILES as [CraftedEntry, ...CraftedEntry[]];
    const other = { path: a.path, bytes: Buffer.from('b') };
    expect(await refusal(sealedArchive([manifestOf(FILES), other, ...rest]))).toBe('BUNDLE_FILE_DIFFERS');
    const longer = { path: a.path, bytes: Buffer.from('aa') };
    expect(await refusal(sealedArchive([manifestOf(FILES), longer, ...rest]))).toBe('BUNDLE_FILE_DIFFERS');
    expect(await refusal(sealedArchive([manifestOf(FILES), a]))).toBe('BUNDLE_MALFORMED');
    expect(await refusal(sealedArchive([]))).toBe('BUNDLE_MALFORMED');
    expect(await refusal(sealedArchive([{ path: 'bundle.json', bytes: Buffer.from('{}') }]))).toBe('BUNDLE_MALFORMED');
    expect(await refusal(sealedArchive([{ path: 'bundle.json', bytes: Buffer.from([0xff]) }]))).toBe(
      'BUNDLE_MALFORMED',
    );
  });

  it('RP-7 RS-4 refuses what unpacks to more than it lists, however little it is packed', async () => {
    const huge = { path: 'run/a.json', size: 400_000_000 };
    expect(await refusal(sealedArchive([manifestOf(FILES), huge]))).toBe('BUNDLE_FILE_DIFFERS');
    // By its header, before a byte of it is written.
    expect(lastMessage).toContain('it has 400000000 bytes, and 1 are listed');
    const behind = Buffer.alloc(1_000_000);
    expect(await refusal(sealedArchive([manifestOf(FILES), ...FILES], behind))).toBe('BUNDLE_MALFORMED');
    // Headers of headers are no entries, and are not listed.
    const padded = { path: 'run/a.json', pax: 400_000 };
    expect(await refusal(sealedArchive([manifestOf(FILES), padded, ...FILES]))).toBe('BUNDLE_TOO_LARGE');
    const manifest = { path: 'bundle.json', bytes: Buffer.from('{}'), size: 200_000_000 };
    expect(await refusal(sealedArchive([manifest]))).toBe('BUNDLE_TOO_LARGE');
  });

  it('RP-7 refuses what is not sealed, sealed as something else, cut, or no archive, before it unpacks anything', async () => {
    const sound = listed(FILES);
    for (const archive of [
      Buffer.alloc(0),
      Buffer.from('no bundle'),
      sound.subarray(0, -1),
      sound.subarray(1),
      Buffer.concat([sound, Buffer.from([0])]),
      sound.subarray(0, sound.byteLength - 92),
    ])
      expect(await refusal(archive)).toMatch(/^BUNDLE_(CHANGED|MALFORMED)$/);
    // Sealed by somebody, and still no archive.
    for (const body of [Buffer.from('no gzip'), gzipSync(Buffer.from('no tar')), gzipSync(sound).subarray(0, 100)])
      expect(await refusal(Buffer.concat([body, sealOf(digestBytes(body))]))).toBe('BUNDLE_MALFORMED');
  });
});

it('RP-7 a file that is not there is named', async () => {
  const folder = await temporaryFolder();
  await expect(unpackBundle(join(folder, 'none.tar.gz'), folder)).rejects.toMatchObject({ code: 'BUNDLE_UNREADABLE' });
});
