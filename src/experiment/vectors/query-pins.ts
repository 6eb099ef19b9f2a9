import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { usageSchema } from '../../bank/bank-schema.js';
import { vectorFromBase64, vectorToBase64 } from '../../bank/float-values.js';
import type { PinnedQuery } from '../../bank/vector-bank.js';
import { DIGEST_PATTERN, type Digest } from '../../core/digest.js';
import { ensureFolder, PRIVATE_FOLDER_MODE } from '../../core/durable-files.js';
import { invalidInput } from '../../core/errors.js';
import { type Journal, openJournal, readJournal } from '../../core/journal.js';

const lineSchema = z.strictObject({
  format: z.literal('query-vector@1'),
  text: z.string().regex(DIGEST_PATTERN) as unknown as z.ZodType<Digest>,
  usage: usageSchema,
  /** Float32, little-endian. */
  vector: z.base64(),
});

/**
 * The question vectors of one fixture (VB-3): those of its vector banks, and those that this run prepared itself, kept in the run's folder
 * before they are used. A run that goes on in the same folder uses them again.
 */
export class QueryPins {
  readonly #pins: Map<Digest, PinnedQuery>;
  /** The texts that this run prepared itself, in whichever session. */
  readonly #prepared: Set<Digest>;
  #journal: Promise<Journal> | null = null;

  private constructor(
    private readonly path: string,
    pins: Map<Digest, PinnedQuery>,
  ) {
    this.#pins = pins;
    this.#prepared = new Set(pins.keys());
  }

  /** @throws `QUERY_VECTORS_BROKEN` (exit 2) where the run's file is not what was written. */
  static async open(path: string): Promise<QueryPins> {
    const pins = new Map<Digest, PinnedQuery>();
    if (await isThere(path)) for (const line of await readLines(path)) pins.set(line.text, fromLine(line, path));
    return new QueryPins(path, pins);
  }

  get texts(): readonly Digest[] {
    return [...this.#pins.keys()];
  }

  get(text: Digest): PinnedQuery | null {
    return this.#pins.get(text) ?? null;
  }

  /** Whether this run prepared a text itself, also where a vector bank pins it by now. */
  isPreparedHere(text: Digest): boolean {
    return this.#prepared.has(text);
  }

  /** Takes over what a vector bank pins, instead of what was prepared here: the bank is what others see. */
  addAll(pins: ReadonlyMap<Digest, PinnedQuery>): void {
    for (const [text, pin] of pins) this.#pins.set(text, pin);
  }

  /** Keeps a vector that was prepared now; durable when it returns. */
  async keep(text: Digest, pin: PinnedQuery): Promise<void> {
    this.#journal ??= this.#open();
    const usage = pin.usage === null ? null : { ...pin.usage };
    const vector = vectorToBase64(pin.vector);
    await (await this.#journal).append({ format: 'query-vector@1', text, usage, vector });
    this.#pins.set(text, pin);
    this.#prepared.add(text);
  }

  async close(): Promise<void> {
    await (await this.#journal)?.close();
  }

  async #open(): Promise<Journal> {
    await ensureFolder(dirname(this.path), PRIVATE_FOLDER_MODE);
    return openJournal(this.path, (await isThere(this.path)) ? 'append' : 'create');
  }
}

async function readLines(path: string): Promise<z.output<typeof lineSchema>[]> {
  try {
    return (await readJournal(path)).entries.map((entry) => lineSchema.parse(entry));
  } catch (cause) {
    throw broken(path, cause);
  }
}

function fromLine({ vector: text, usage }: z.output<typeof lineSchema>, path: string): PinnedQuery {
  const vector = vectorFromBase64(text);
  if (vector === null) throw broken(path, null);
  return { vector, usage };
}

function broken(path: string, cause: unknown): Error {
  return invalidInput('QUERY_VECTORS_BROKEN', `${path} does not hold the question vectors of a run`, {
    remedy: 'restore the file, or start a new run',
    cause,
  });
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
