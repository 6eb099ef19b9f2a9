import { mkdir, readdir, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { canonicalJson } from '../core/canonical-json.js';
import { type Digest, digestBytes, digestJson, digestText } from '../core/digest.js';
import { RecallMatrixError } from '../core/errors.js';
import { VECTOR_BANK_LIMIT_BYTES, type VectorBankIdentity } from './vector-bank.js';
import { refuseTooManyVectors, vectorBankBound } from './vector-bank-bound.js';
import { findVectorBank, listVectorBanks, readVectorBank, writeVectorBank } from './vector-bank-folder.js';
import { parseVectorBank, sealVectorBank, textsDigest, type VectorBankParts } from './vector-bank-format.js';
import { vectorBankPath } from './vector-bank-names.js';

const usage = { input_uncached: 7, cache_read: 0, cache_write: 0, output: 0, reasoning: 0 };
const TEXTS = ['Rosa moved.', 'Ünal rows.'].map(digestText);
const QUERY = digestText('who rows?');

/** Values that a decimal form or another byte order would change. */
const parts = (changes: Partial<VectorBankParts> = {}): VectorBankParts => ({
  identity: {
    unit: 'beliefs',
    source: digestText('state'),
    embedding: { kind: 'local', endpoint: 'in-process', model: 'm', dimensions: 3 },
    implementation: 'weights@1',
    pricing: digestJson(null),
  },
  items: new Map([
    [TEXTS[0] as Digest, Float32Array.of(0.1, -0, 1e-40)],
    [TEXTS[1] as Digest, Float32Array.of(3.4e38, -1.5, 7)],
  ]),
  usage,
  reportedModels: ['m'],
  queries: new Map([[QUERY, { vector: Float32Array.of(1, 2, 3), usage: null }]]),
  ...changes,
});
const identityOf = (some: VectorBankParts): VectorBankIdentity => ({
  ...some.identity,
  texts: textsDigest([...some.items.keys()]),
});

const { header, bytes } = sealVectorBank(parts());
const PATH = vectorBankPath('/banks', 'harbour', 'beliefs', header.digest);

function expectRefused(changed: Buffer, path = PATH): void {
  let error: unknown;
  try {
    parseVectorBank(changed, path);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(RecallMatrixError);
  expect(error).toMatchObject({
    exitCode: 5,
    code: expect.stringMatching(/^VECTOR_BANK_/),
    remedy: expect.any(String),
  });
}

/** Other content under digests that fit it: what a careful forger, or another tool, would write. */
function resealed(
  change: (content: Record<string, unknown>) => void,
  values?: Buffer,
): { bytes: Buffer; path: string } {
  const end = bytes.indexOf(0x0a) + 1;
  const { digest: _digest, ...content } = JSON.parse(bytes.toString('utf8', 0, end)) as Record<string, unknown>;
  const body = values ?? bytes.subarray(end);
  content.values = digestBytes(body);
  change(content);
  const digest = digestJson(content);
  const line = Buffer.from(`${canonicalJson({ ...content, digest })}\n`);
  return { bytes: Buffer.concat([line, body]), path: vectorBankPath('/banks', 'harbour', 'beliefs', digest) };
}

describe('VB-2 the bytes of a vector bank', () => {
  test('VB-2 values come back bit for bit, little-endian after one line of canonical JSON', () => {
    const bank = parseVectorBank(bytes, PATH);
    const given = parts();
    expect([...bank.items.keys()]).toEqual(TEXTS);
    for (const [text, vector] of given.items) {
      expect(new Uint32Array(bank.items.get(text)?.buffer as ArrayBuffer)).toEqual(new Uint32Array(vector.buffer));
    }
    expect(bank.queries).toEqual(given.queries);
    const end = bytes.indexOf(0x0a) + 1;
    expect(bytes.toString('utf8', 0, end)).toBe(`${canonicalJson(header)}\n`);
    expect(bytes.byteLength).toBe(end + 3 * 3 * 4);
    // 1.5 is 3fc00000: its sign and exponent stand in the last byte.
    expect(bytes.subarray(end + 16, end + 20)).toEqual(Buffer.from([0x00, 0x00, 0xc0, 0xbf]));
  });

  test('VB-2 equal vectors make equal files: no time or place is in them', () => {
    expect(sealVectorBank(parts()).bytes).toEqual(bytes);
  });

  test('VB-2 every byte, with one bit flipped, is refused, and so is every cut and every addition', () => {
    for (let index = 0; index < bytes.length; index += 1) {
      for (const bit of [0x01, 0x80]) {
        const changed = Buffer.from(bytes);
        changed[index] = (changed[index] as number) ^ bit;
        expectRefused(changed);
      }
      expectRefused(bytes.subarray(0, index));
    }
    expectRefused(Buffer.concat([bytes, Buffer.from([0])]));
    expectRefused(Buffer.concat([Buffer.from(' '), bytes]));
  });

  test('VB-2 any bytes at all are refused in order, never another error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (some) => {
        expectRefused(Buffer.from(some));
      }),
    );
  });

  test('VB-2 content that lies under fitting digests is refused: sizes, texts, repeats, infinities, unknown fields', () => {
    const end = bytes.indexOf(0x0a) + 1;
    const infinite = Buffer.from(bytes.subarray(end));
    infinite.writeFloatLE(Number.POSITIVE_INFINITY, 0);
    const lies = [
      resealed((content) => {
        content.items = [TEXTS[0]];
      }),
      resealed((content) => {
        content.items = [TEXTS[1], TEXTS[0]];
      }),
      resealed((content) => {
        content.queries = [];
        content.items = [...TEXTS, TEXTS[0]];
        (content.identity as Record<string, unknown>).texts = textsDigest(content.items as Digest[]);
      }),
      resealed((content) => {
        content.more = 1;
      }),
      resealed(() => {}, infinite),
    ];
    for (const lie of lies) expectRefused(lie.bytes, lie.path);
    // Control: a fitting reseal is read.
    const honest = resealed((content) => {
      content.usage = null;
    });
    expect(parseVectorBank(honest.bytes, honest.path).header.usage).toBeNull();
  });

  test('VB-2 a name of another digest or unit is refused', () => {
    expectRefused(bytes, vectorBankPath('/banks', 'harbour', 'turns', header.digest));
    expectRefused(bytes, vectorBankPath('/banks', 'harbour', 'beliefs', digestText('x')));
    expectRefused(bytes, '/banks/harbour.bin');
  });

  test('VB-2 vectors of another length, or that are no numbers, are not sealed', () => {
    for (const vector of [Float32Array.of(1, 2), Float32Array.of(1, 2, Number.NaN)]) {
      expect(() => sealVectorBank(parts({ items: new Map([[TEXTS[0] as Digest, vector]]) }))).toThrow(/no intact/);
    }
  });
});

describe('VB-2 the limit of a vector bank', () => {
  const wide = (dimensions: number): VectorBankParts['identity'] => {
    const { identity } = parts();
    return { ...identity, embedding: { ...identity.embedding, dimensions } };
  };

  test('VB-2 more than 256 MiB are not sealed, and are not read', () => {
    const dimensions = VECTOR_BANK_LIMIT_BYTES / 4 / 3;
    expect(() => sealVectorBank(parts({ identity: wide(Math.ceil(dimensions) + 1) }))).toThrow(
      expect.objectContaining({ code: 'VECTOR_BANK_TOO_LARGE', exitCode: 5 }),
    );
    const large = Buffer.alloc(VECTOR_BANK_LIMIT_BYTES + 1);
    expect(() => parseVectorBank(large, PATH)).toThrow(expect.objectContaining({ code: 'VECTOR_BANK_TOO_LARGE' }));
    // Control: one byte less is read, and refused for what it holds.
    expect(() => parseVectorBank(large.subarray(1), PATH)).toThrow(
      expect.objectContaining({ code: 'VECTOR_BANK_NOT_CANONICAL' }),
    );
  });

  test('VB-2 texts and questions that cannot fit are refused before the first is embedded; those that fit never are', () => {
    const identity = { ...wide(1024), texts: textsDigest([]) };
    const most = VECTOR_BANK_LIMIT_BYTES / 4 / 1024;
    for (const [items, queries] of [
      [most, 0],
      [0, most],
      [most / 2, most / 2],
    ] as const)
      expect(() => refuseTooManyVectors('turns of mill', identity, items, queries)).toThrow(
        expect.objectContaining({ code: 'VECTOR_BANK_TOO_LARGE', exitCode: 5, remedy: expect.any(String) }),
      );
    expect(() => refuseTooManyVectors('turns of mill', identity, most * 0.9, 100)).not.toThrow();
  });

  test('VB-2 what is not refused before can be sealed: the bound is never below the size', () => {
    const numbers = { input_uncached: Number.MAX_SAFE_INTEGER, cache_read: 0, cache_write: 0, output: 0, reasoning: 0 };
    const digests = Array.from({ length: 40 }, (_, index) => digestText(`${index}`));
    for (const [items, queries] of [
      [40, 0],
      [1, 39],
      [20, 20],
    ] as const) {
      const vector = Float32Array.of(1, 2, 3);
      const some = parts({
        items: new Map(digests.slice(0, items).map((text) => [text, vector])),
        queries: new Map(digests.slice(0, queries).map((text) => [text, { vector, usage: numbers }])),
        usage: numbers,
      });
      const bound = vectorBankBound(identityOf(some), items, queries);
      expect(sealVectorBank(some).bytes.byteLength).toBeLessThanOrEqual(bound);
    }
  });
});

describe('VB-1 a folder of vector banks', () => {
  test('VB-1 VB-2 a written bank is found by its identity, private, and alone in the folder', async () => {
    const folder = join(await temporaryFolder(), 'made');
    const written = await writeVectorBank(folder, 'harbour', parts());
    expect(written.isOurs).toBe(true);
    expect((await stat(written.file.path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual([`harbour-beliefs-${header.digest.slice(7, 19)}.vectors.bin`]);
    const { found, nearest } = await findVectorBank(folder, 'harbour', identityOf(parts()), null);
    expect(found).toEqual(written.file);
    expect(nearest).toEqual([]);
    expect(await readVectorBank(written.file.path)).toEqual(written.bank);
    expect((await listVectorBanks(folder)).completed).toEqual([written.file]);
  });

  test('VB-1 another state, space, version, price, unit, order or set of texts does not fit, and is named', async () => {
    const folder = await temporaryFolder();
    await writeVectorBank(folder, 'harbour', parts());
    const identity = identityOf(parts());
    const changes: readonly [Partial<VectorBankIdentity>, string[]][] = [
      [{ source: digestText('other') }, ['source']],
      [{ embedding: { ...identity.embedding, model: 'n' } }, ['embedding.model']],
      [{ embedding: { ...identity.embedding, endpoint: 'https://x' } }, ['embedding.endpoint']],
      [{ embedding: { ...identity.embedding, kind: 'openai' } }, ['embedding.kind']],
      [{ embedding: { ...identity.embedding, dimensions: 4 } }, ['embedding.dimensions']],
      [{ implementation: 'weights@2' }, ['implementation']],
      [{ pricing: digestText('dearer') }, ['pricing']],
      [{ texts: textsDigest([...TEXTS].reverse()) }, ['texts']],
    ];
    for (const [change, differs] of changes) {
      const { found, nearest } = await findVectorBank(folder, 'harbour', { ...identity, ...change }, null);
      expect([found, nearest.map((near) => near.differs)]).toEqual([null, [differs]]);
    }
    for (const [fixture, unit] of [
      ['mill', 'beliefs'],
      ['harbour', 'turns'],
    ] as const)
      expect(await findVectorBank(folder, fixture, { ...identity, unit }, null)).toEqual({ found: null, nearest: [] });
  });

  test('VB-1 two of one identity are ambiguous, unless one is pinned; a pinned one must be there, and fit', async () => {
    const folder = await temporaryFolder();
    const first = await writeVectorBank(folder, 'harbour', parts());
    const other = sealVectorBank(parts({ usage: null }));
    await writeFile(vectorBankPath(folder, 'harbour', 'beliefs', other.header.digest), other.bytes);
    const identity = identityOf(parts());
    const find = (pinned: Digest | null, wanted = identity) => findVectorBank(folder, 'harbour', wanted, pinned);
    await expect(find(null)).rejects.toMatchObject({ code: 'VECTOR_BANK_AMBIGUOUS', exitCode: 5 });
    for (const pinned of [first.file.header.digest, other.header.digest])
      expect((await find(pinned)).found?.header.digest).toBe(pinned);
    await expect(find(digestText('gone'))).rejects.toMatchObject({ code: 'VECTOR_BANK_PINNED_MISSING', exitCode: 5 });
    const elsewhere = { ...identity, source: digestText('other') };
    await expect(find(other.header.digest, elsewhere)).rejects.toMatchObject({
      code: 'VECTOR_BANK_PINNED_DIFFERS',
      details: { differs: 'source' },
    });
  });

  test('VB-2 R-47 who records an identity that stands already takes the bank that stands, also at the same moment', async () => {
    const folder = await temporaryFolder();
    const other = parts({ items: new Map(TEXTS.map((text) => [text, Float32Array.of(9, 9, 9)])) });
    const all = await Promise.all([parts(), other, other].map((some) => writeVectorBank(folder, 'harbour', some)));
    expect(all.filter(({ isOurs }) => isOurs)).toHaveLength(1);
    expect(new Set(all.map(({ file }) => file.header.digest)).size).toBe(1);
    expect((await listVectorBanks(folder)).completed).toHaveLength(1);
    expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('VB-2 a broken, oversized or irregular file is refused by its kind, and listed', async () => {
    const folder = await temporaryFolder();
    const { file } = await writeVectorBank(folder, 'harbour', parts());
    const identity = identityOf(parts());
    await truncate(file.path, VECTOR_BANK_LIMIT_BYTES + 1);
    await expect(findVectorBank(folder, 'harbour', identity, null)).rejects.toMatchObject({
      code: 'VECTOR_BANK_TOO_LARGE',
    });
    await truncate(file.path, 10);
    await expect(findVectorBank(folder, 'harbour', identity, null)).rejects.toMatchObject({ exitCode: 5 });
    await mkdir(vectorBankPath(folder, 'harbour', 'turns', digestText('folder')));
    await writeFile(join(folder, `.harbour-beliefs-${'0'.repeat(12)}.vectors.bin`), 'being written');
    const { completed, broken } = await listVectorBanks(folder);
    expect(completed).toEqual([]);
    expect(broken.map(({ error }) => error.code)).toEqual(['VECTOR_BANK_NOT_CANONICAL', 'BANK_UNREADABLE']);
  });
});
