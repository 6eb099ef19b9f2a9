import { z } from 'zod';
import { canonicalJson, type JsonObject } from '../core/canonical-json.js';
import { DIGEST_PATTERN, type Digest, digestJson } from '../core/digest.js';
import { bankRefused, messageOf, type RecallMatrixError } from '../core/errors.js';
import { shellWord } from '../core/shell-word.js';
import { addUsage, NO_USAGE, type Usage } from '../provider/usage.js';
import { usageSchema } from './bank-schema.js';
import { vectorFromBase64, vectorToBase64 } from './float-values.js';
import type { PinnedQuery, VectorBankIdentity } from './vector-bank.js';
import { vectorBankIdentitySchema } from './vector-bank-format.js';

const digestSchema = z.string().regex(DIGEST_PATTERN) as unknown as z.ZodType<Digest>;
const sealed = { digest: digestSchema };

const headerSchema = z.strictObject({
  kind: z.literal('header'),
  format: z.literal('pending-vectors@1'),
  fixture: z.string(),
  identity: vectorBankIdentitySchema,
  /** How many texts there are to embed. */
  items: z.int().nonnegative(),
  ...sealed,
});
const lineSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('batch'),
    /** The cursor before it: the place of its first text. */
    first: z.int().nonnegative(),
    vectors: z.array(z.base64()).min(1),
    usage: usageSchema,
    reported_models: z.array(z.string()),
    ...sealed,
  }),
  z.strictObject({ kind: z.literal('query'), text: digestSchema, vector: z.base64(), usage: usageSchema, ...sealed }),
  z.strictObject({ kind: z.literal('abandoned'), reason: z.string(), at: z.string(), ...sealed }),
]);

type Unsealed<Line> = Line extends unknown ? Omit<Line, 'digest'> : never;
/** The first line: what is recorded. */
export type PendingVectorsHeader = z.infer<typeof headerSchema>;
type PendingVectorsLine = z.infer<typeof lineSchema>;

/** What one request, or several that are kept together, gave for the texts from the cursor on. */
export interface EmbeddedBatch {
  readonly vectors: readonly Float32Array[];
  /** Null where the provider gave none for a part. */
  readonly usage: Usage | null;
  readonly reported_models: readonly string[];
}

/** What a pending recording of vectors holds. */
export interface PendingVectorsContent {
  readonly header: Unsealed<PendingVectorsHeader>;
  /** In the order of the texts; as many as the cursor says. */
  readonly items: readonly Float32Array[];
  /** How many batches they came in. */
  readonly batches: number;
  readonly usage: Usage | null;
  readonly reported_models: readonly string[];
  readonly queries: ReadonlyMap<Digest, PinnedQuery>;
  readonly abandoned: { readonly reason: string; readonly at: string } | null;
  /** Bytes of a last line that a crash tore: it was never durable, and is left out. */
  readonly torn_bytes: number;
}

/** The first line of a recording of this identity, of so many texts. */
export function headerLine(fixture: string, identity: VectorBankIdentity, items: number): JsonObject {
  return sealLine({ kind: 'header', format: 'pending-vectors@1', fixture, identity, items });
}

/** The line of a batch whose first text stands at the cursor. */
export function batchLine(first: number, { vectors, usage, reported_models }: EmbeddedBatch): JsonObject {
  return sealLine({
    kind: 'batch',
    first,
    vectors: vectors.map(vectorToBase64),
    usage,
    reported_models: [...reported_models],
  });
}

/** The line of a question's vector. */
export function queryLine(text: Digest, { vector, usage }: PinnedQuery): JsonObject {
  return sealLine({ kind: 'query', text, vector: vectorToBase64(vector), usage });
}

/** The line that ends a recording for good. */
export function abandonedLine(reason: string, at: string): JsonObject {
  return sealLine({ kind: 'abandoned', reason, at });
}

/** Each line binds itself, so that a changed byte is found where it is. */
function sealLine(line: Unsealed<PendingVectorsHeader | PendingVectorsLine>): JsonObject {
  const content = line as unknown as JsonObject;
  return { ...content, digest: digestJson(content) };
}

/**
 * Reads a pending recording: its header, then batches in the order of the texts, without a gap, and questions between them.
 *
 * @throws `VECTOR_JOURNAL_BROKEN` (exit 5), naming the line; only a last line without its line feed may be broken.
 */
export function parsePendingVectors(bytes: Buffer, path: string): PendingVectorsContent {
  const reading = new Reading(path);
  let start = 0;
  for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
    reading.take(bytes.toString('utf8', start, end));
    start = end + 1;
  }
  return reading.content(bytes.byteLength - start);
}

const LINE_FEED = 0x0a;

class Reading {
  #line = 0;
  #header: PendingVectorsHeader | null = null;
  readonly #items: Float32Array[] = [];
  #batches = 0;
  #usage: Usage | null = NO_USAGE;
  readonly #reported = new Set<string>();
  readonly #queries = new Map<Digest, PinnedQuery>();
  #abandoned: PendingVectorsContent['abandoned'] = null;

  constructor(private readonly path: string) {}

  take(text: string): void {
    this.#line += 1;
    try {
      const value = unsealed(text);
      if (this.#header === null) this.#header = headerSchema.parse(value);
      else this.#add(lineSchema.parse(value), this.#header);
    } catch (cause) {
      throw brokenVectorJournal(this.path, `line ${this.#line}: ${why(cause)}`, cause);
    }
  }

  content(tornBytes: number): PendingVectorsContent {
    if (this.#header === null) throw brokenVectorJournal(this.path, 'line 1: there is no header', null);
    return {
      header: this.#header,
      items: this.#items,
      batches: this.#batches,
      usage: this.#usage,
      reported_models: [...this.#reported],
      queries: this.#queries,
      abandoned: this.#abandoned,
      torn_bytes: tornBytes,
    };
  }

  #add(line: PendingVectorsLine, { items, identity }: PendingVectorsHeader): void {
    if (this.#abandoned !== null) throw new Error('it stands behind the end');
    if (line.kind === 'abandoned') {
      this.#abandoned = { reason: line.reason, at: line.at };
      return;
    }
    const { dimensions } = identity.embedding;
    if (line.kind === 'query') {
      this.#queries.set(line.text, { vector: vectorOf(line.vector, dimensions), usage: line.usage });
      return;
    }
    if (line.first !== this.#items.length)
      throw new Error(`it begins at text ${line.first}, not ${this.#items.length}`);
    if (line.first + line.vectors.length > items) throw new Error(`it goes beyond the ${items} texts`);
    for (const vector of line.vectors) this.#items.push(vectorOf(vector, dimensions));
    this.#batches += 1;
    this.#usage = this.#usage === null || line.usage === null ? null : addUsage(this.#usage, line.usage);
    for (const model of line.reported_models) this.#reported.add(model);
  }
}

function unsealed(text: string): JsonObject {
  const value = JSON.parse(text) as JsonObject;
  const { digest, ...content } = value;
  if (canonicalJson(value) !== text) throw new Error('it is not in canonical form');
  if (digestJson(content) !== digest) throw new Error('it was changed');
  return value;
}

function vectorOf(text: string, dimensions: number): Float32Array {
  const vector = vectorFromBase64(text);
  if (vector?.length !== dimensions) throw new Error(`a vector is not ${dimensions} finite numbers`);
  return vector;
}

/** The refusal of what cannot be read as a pending recording of vectors: it is never taken for a first one. */
export function brokenVectorJournal(path: string, reason: string, cause: unknown): RecallMatrixError {
  return bankRefused('VECTOR_JOURNAL_BROKEN', `${path} cannot be read as a pending recording of vectors: ${reason}`, {
    remedy: `look into the file; recall-matrix bank abandon ${shellWord(path)} --reason "..." moves it out of the way, and its texts are embedded anew`,
    cause,
  });
}

function why(cause: unknown): string {
  if (!(cause instanceof z.ZodError)) return messageOf(cause);
  const [issue] = cause.issues;
  return `${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? 'its form is wrong'}`;
}
