import { z } from 'zod';
import { canonicalJson } from '../core/canonical-json.js';
import { DIGEST_PATTERN, type Digest, digestBytes, digestJson, shortDigest } from '../core/digest.js';
import { bankRefused, messageOf, type RecallMatrixError } from '../core/errors.js';
import { kindSchema, usageSchema } from './bank-schema.js';
import { decodeCanonicalLine } from './canonical-file.js';
import {
  type PinnedQuery,
  VECTOR_BANK_LIMIT_BYTES,
  type VectorBank,
  type VectorBankHeader,
  type VectorBankIdentity,
} from './vector-bank.js';
import { parseVectorBankName } from './vector-bank-names.js';

/** What a vector bank is sealed from; the counts and digests follow from it. */
export interface VectorBankParts {
  readonly identity: Omit<VectorBankIdentity, 'texts'>;
  readonly items: ReadonlyMap<Digest, Float32Array>;
  readonly usage: VectorBankHeader['usage'];
  readonly reportedModels: readonly string[];
  readonly queries: ReadonlyMap<Digest, PinnedQuery>;
}

const FLOAT_BYTES = 4;
const LINE_FEED = 0x0a;

const digest = z.string().regex(DIGEST_PATTERN) as unknown as z.ZodType<Digest>;
// Strict throughout: a field that this version does not know is refused, never passed over.
/** A vector bank's identity, as files hold it. */
export const vectorBankIdentitySchema: z.ZodType<VectorBankIdentity> = z.strictObject({
  unit: z.enum(['beliefs', 'turns']),
  source: digest,
  embedding: z.strictObject({
    kind: kindSchema,
    endpoint: z.string(),
    model: z.string(),
    dimensions: z.int().positive(),
  }),
  implementation: z.string().nullable(),
  pricing: digest,
  texts: digest,
});
const headerSchema: z.ZodType<VectorBankHeader> = z.strictObject({
  format: z.literal('vector-bank@1'),
  identity: vectorBankIdentitySchema,
  items: z.array(digest),
  usage: usageSchema,
  reported_models: z.array(z.string()),
  queries: z.array(z.strictObject({ text: digest, usage: usageSchema })),
  values: digest,
  digest,
});

/** The identity's part that its texts give. */
export function textsDigest(items: readonly Digest[]): Digest {
  return digestJson(items);
}

/**
 * Makes a vector bank's header and bytes (VB-2).
 *
 * @throws `VECTOR_BANK_TOO_LARGE`, `VECTOR_BANK_MALFORMED` (exit 5) for vectors of another length or with a value that is no finite number.
 */
export function sealVectorBank(parts: VectorBankParts): { readonly header: VectorBankHeader; readonly bytes: Buffer } {
  const name = 'the vector bank to be sealed';
  const { dimensions } = parts.identity.embedding;
  const vectors = [...parts.items.values(), ...[...parts.queries.values()].map(({ vector }) => vector)];
  const size = vectors.length * dimensions * FLOAT_BYTES;
  if (size > VECTOR_BANK_LIMIT_BYTES) throw vectorBankTooLarge(name, size);
  const values = Buffer.alloc(size);
  for (const [place, vector] of vectors.entries()) {
    if (vector.length !== dimensions) throw malformed(name, `vector ${place} has ${vector.length} dimensions`);
    for (const [index, value] of vector.entries()) {
      if (!Number.isFinite(value)) throw malformed(name, `vector ${place} holds a value that is no finite number`);
      values.writeFloatLE(value, (place * dimensions + index) * FLOAT_BYTES);
    }
  }
  const items = [...parts.items.keys()];
  const content = {
    format: 'vector-bank@1' as const,
    identity: { ...parts.identity, texts: textsDigest(items) },
    items,
    usage: parts.usage,
    reported_models: parts.reportedModels,
    queries: [...parts.queries].map(([text, { usage }]) => ({ text, usage })),
    values: digestBytes(values),
  };
  const header: VectorBankHeader = { ...content, digest: digestJson(content) };
  const bytes = Buffer.concat([Buffer.from(`${canonicalJson(header)}\n`, 'utf8'), values]);
  if (bytes.byteLength > VECTOR_BANK_LIMIT_BYTES) throw vectorBankTooLarge(name, bytes.byteLength);
  return { header, bytes };
}

/**
 * Reads a vector bank's bytes: size first, then the header's exact canonical form and shape, the size that it states, both digests, the
 * texts, and the name that the digest gives.
 *
 * @throws `VECTOR_BANK_*` (exit 5); every changed byte is refused.
 */
export function parseVectorBank(bytes: Buffer, path: string): VectorBank {
  if (bytes.byteLength > VECTOR_BANK_LIMIT_BYTES) throw vectorBankTooLarge(path, bytes.byteLength);
  const end = bytes.indexOf(LINE_FEED) + 1;
  const header = parseHeader(bytes.subarray(0, end), path);
  const { dimensions } = header.identity.embedding;
  const count = header.items.length + header.queries.length;
  const values = bytes.subarray(end);
  if (values.byteLength !== count * dimensions * FLOAT_BYTES) {
    throw malformed(path, `${values.byteLength} bytes of values are not ${count} vectors of ${dimensions} dimensions`);
  }
  if (digestBytes(values) !== header.values) throw changed('VECTOR_BANK_DIGEST_DIFFERS', path, 'its values changed');
  if (textsDigest(header.items) !== header.identity.texts) throw malformed(path, 'its texts are not those it binds');
  const vectorAt = (place: number): Float32Array => {
    const vector = new Float32Array(dimensions);
    for (let index = 0; index < dimensions; index += 1) {
      vector[index] = values.readFloatLE((place * dimensions + index) * FLOAT_BYTES);
    }
    if (!vector.every(Number.isFinite)) throw malformed(path, `vector ${place} holds a value that is no finite number`);
    return vector;
  };
  const items = new Map(header.items.map((text, place) => [text, vectorAt(place)]));
  const queries = new Map(
    header.queries.map(({ text, usage }, place) => [text, { vector: vectorAt(header.items.length + place), usage }]),
  );
  if (items.size + queries.size !== count) throw malformed(path, 'a text stands in it twice');
  return { header, items, queries };
}

function parseHeader(line: Buffer, path: string): VectorBankHeader {
  const value = decodeCanonicalLine(line, (why) => changed('VECTOR_BANK_NOT_CANONICAL', path, `of its header, ${why}`));
  const result = headerSchema.safeParse(value);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw malformed(path, `${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? messageOf(result.error)}`);
  }
  const { digest: stated, ...content } = result.data;
  const computed = digestJson(content);
  if (computed !== stated) {
    throw changed('VECTOR_BANK_DIGEST_DIFFERS', path, `its header has digest ${computed}, and it states ${stated}`);
  }
  const name = parseVectorBankName(path);
  if (name === null || name.digest12 !== shortDigest(stated) || name.unit !== result.data.identity.unit) {
    const expected = `${result.data.identity.unit}-${shortDigest(stated)}`;
    throw changed('VECTOR_BANK_NAME_DIFFERS', path, `its name does not end in ${expected}, of its unit and digest`);
  }
  return result.data;
}

/** The refusal of a file above the bound (VB-2). */
export function vectorBankTooLarge(path: string, bytes: number): RecallMatrixError {
  return bankRefused(
    'VECTOR_BANK_TOO_LARGE',
    `${path} has ${bytes} bytes; a vector bank has at most ${VECTOR_BANK_LIMIT_BYTES}`,
    { remedy: 'split the history into smaller fixtures, or embed with fewer dimensions' },
  );
}

function malformed(path: string, why: string): RecallMatrixError {
  return changed('VECTOR_BANK_MALFORMED', path, why);
}

function changed(code: string, path: string, why: string): RecallMatrixError {
  return bankRefused(code, `${path} is no intact vector bank: ${why}`, {
    remedy: 'restore the file from where it was recorded, or move it away and record the vectors anew',
  });
}
