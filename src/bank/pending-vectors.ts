import { canonicalJson } from '../core/canonical-json.js';
import { type Digest, digestText } from '../core/digest.js';
import { writeExclusive } from '../core/durable-files.js';
import { bankRefused, internalFault, invalidInput, messageOf } from '../core/errors.js';
import { type Journal, openJournal } from '../core/journal.js';
import { shellWord } from '../core/shell-word.js';
import { addUsage, type Usage } from '../provider/usage.js';
import { identityDifferences } from './identity-difference.js';
import {
  batchLine,
  brokenVectorJournal,
  type EmbeddedBatch,
  headerLine,
  type PendingVectorsContent,
  parsePendingVectors,
  queryLine,
} from './pending-vectors-format.js';
import { readRegularFile } from './regular-file.js';
import { removeJournal } from './unfinished-recordings.js';
import { type PinnedQuery, VECTOR_BANK_LIMIT_BYTES, type VectorRecording } from './vector-bank.js';
import { pendingVectorsPath } from './vector-bank-names.js';

/** In base64 a vector bank's values are a third larger; what else is in the lines is less than the rest of this. */
const PENDING_LIMIT_BYTES = 1.5 * VECTOR_BANK_LIMIT_BYTES;

/**
 * Reads a pending recording of vectors; a torn last line is left out.
 *
 * @returns null where there is none.
 * @throws `VECTOR_JOURNAL_BROKEN`, `BANK_UNREADABLE` (exit 5).
 */
export async function readPendingVectors(path: string): Promise<PendingVectorsContent | null> {
  const bytes = await readRegularFile(path, PENDING_LIMIT_BYTES, (size) =>
    brokenVectorJournal(path, `it has ${size} bytes, and at most ${PENDING_LIMIT_BYTES} are read`, null),
  );
  return bytes === null ? null : parsePendingVectors(bytes, path);
}

/**
 * What an interrupted recording of an identity has kept; null where there is none.
 *
 * @throws as `readPendingVectors`; `VECTOR_JOURNAL_DIFFERS` (exit 5) where the file of that name is of another recording.
 */
export async function keptVectors(recording: VectorRecording): Promise<PendingVectorsContent | null> {
  const { fixture, identity } = recording;
  const path = pendingVectorsPath(recording);
  const content = await readPendingVectors(path);
  if (content === null) return null;
  const { header, abandoned } = content;
  const differs = [
    ...(header.fixture === fixture ? [] : ['fixture']),
    ...identityDifferences(header.identity, identity),
    ...(abandoned === null ? [] : ['that it was abandoned']),
  ];
  if (differs.length === 0) return content;
  throw bankRefused('VECTOR_JOURNAL_DIFFERS', `${path} is of another recording; it differs in ${differs.join(', ')}`, {
    remedy: `recall-matrix bank abandon ${shellWord(path)} --reason "..." moves it out of the way`,
  });
}

/**
 * What a recording of vectors keeps until its bank is sealed (VB-2, SQ-9): each batch is durable before the cursor moves behind it, so
 * that an interrupted recording goes on at its cursor, and embeds nothing twice that it has. Whoever opens it holds the recorder's lock.
 */
export class PendingVectors {
  readonly #items: Float32Array[];
  readonly #reported: Set<string>;
  readonly #queries: Set<Digest>;
  #usage: Usage | null;

  private constructor(
    readonly path: string,
    private readonly journal: Journal,
    /** What was there when it was opened. */
    readonly before: PendingVectorsContent,
  ) {
    this.#items = [...before.items];
    this.#reported = new Set(before.reported_models);
    this.#queries = new Set(before.queries.keys());
    this.#usage = before.usage;
  }

  /**
   * Goes on with a recording, or begins it.
   *
   * @param count of all texts.
   * @throws as `keptVectors`; `FOLDER_NOT_WRITABLE` (exit 2).
   */
  static async open(recording: VectorRecording, count: number): Promise<PendingVectors> {
    const { fixture, identity } = recording;
    const path = pendingVectorsPath(recording);
    const kept = await keptVectors(recording);
    try {
      const header = headerLine(fixture, identity, count);
      if (kept === null) await writeExclusive(path, `${canonicalJson(header)}\n`);
      const journal = await openJournal(path, 'append');
      return new PendingVectors(path, journal, kept ?? parsePendingVectors(lineOf(header), path));
    } catch (cause) {
      throw invalidInput('FOLDER_NOT_WRITABLE', `cannot record vectors at ${path}: ${messageOf(cause)}`, {
        remedy: 'name a folder that you may write to, on a disk with space and hard links',
        cause,
      });
    }
  }

  /** The place of the first text whose vector is not kept. */
  get cursor(): number {
    return this.#items.length;
  }

  /** Keeps the vectors of the texts at the cursor, and moves it behind them; durable when it returns. */
  async keepBatch(batch: EmbeddedBatch): Promise<void> {
    const { dimensions } = this.before.header.identity.embedding;
    for (const vector of batch.vectors) assertVector(vector, dimensions);
    await this.journal.append(batchLine(this.cursor, batch));
    this.#items.push(...batch.vectors);
    this.#usage = this.#usage === null || batch.usage === null ? null : addUsage(this.#usage, batch.usage);
    for (const model of batch.reported_models) this.#reported.add(model);
  }

  /** Keeps a question's vector, unless it has one; durable when it returns. */
  async keepQuery(text: Digest, pin: PinnedQuery): Promise<void> {
    if (this.#queries.has(text)) return;
    assertVector(pin.vector, this.before.header.identity.embedding.dimensions);
    await this.journal.append(queryLine(text, pin));
    this.#queries.add(text);
  }

  /** What the bank is sealed from, once the cursor is behind the last of the texts. */
  parts(texts: readonly string[]): {
    readonly items: ReadonlyMap<Digest, Float32Array>;
    readonly usage: Usage | null;
    readonly reportedModels: readonly string[];
  } {
    if (this.cursor !== texts.length)
      throw internalFault('VECTOR_MISSING', `${this.cursor} vectors are kept of ${texts.length} texts`);
    const items = new Map(texts.map((text, place) => [digestText(text), this.#items[place] as Float32Array]));
    return { items, usage: this.#usage, reportedModels: [...this.#reported] };
  }

  /** Removes the file, once the bank lies in its place. */
  finish(): Promise<void> {
    return removeJournal(this.path);
  }

  close(): Promise<void> {
    return this.journal.close();
  }
}

function assertVector(vector: Float32Array, dimensions: number): void {
  if (vector.length === dimensions && vector.every(Number.isFinite)) return;
  throw internalFault('VECTOR_UNSOUND', `a vector that was embedded is not ${dimensions} finite numbers`);
}

function lineOf(header: ReturnType<typeof headerLine>): Buffer {
  return Buffer.from(`${canonicalJson(header)}\n`);
}
