import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { DIGEST_PATTERN, type Digest } from '../../core/digest.js';
import { ensureFolder, PRIVATE_FOLDER_MODE } from '../../core/durable-files.js';
import { invalidInput } from '../../core/errors.js';
import { type Journal, openJournal, readJournal } from '../../core/journal.js';
import { LOOKUP_MISSES } from '../../memory/query-preparation/query-preparation.js';

const lineSchema = z.strictObject({
  format: z.literal('query-miss@1'),
  text: z.string().regex(DIGEST_PATTERN) as unknown as z.ZodType<Digest>,
  miss: z.enum(LOOKUP_MISSES),
  /** Why it is `unprepared`; null for other words. */
  reason: z.string().nullable(),
});

/** Why a query has no vector, as the run's metadata counts it. */
export type QueryMiss = Pick<z.output<typeof lineSchema>, 'miss' | 'reason'>;

/**
 * The questions of one fixture that a run prepared in vain, by the digests of their texts, kept in its folder: what a row's word does not
 * say is there for the run's metadata when it goes on (SQ-1), and for a reproduction, which misses what was missed (RP-1). No run reads it to decide
 * what to prepare.
 */
export class QueryMisses {
  #journal: Promise<Journal> | null = null;

  private constructor(
    private readonly path: string,
    private readonly known: Map<Digest, QueryMiss>,
  ) {}

  /** @throws `QUERY_MISSES_BROKEN` (exit 2) where the run's file is not what was written. */
  static async open(path: string): Promise<QueryMisses> {
    const known = new Map<Digest, QueryMiss>();
    if (!existsSync(path)) return new QueryMisses(path, known);
    try {
      for (const entry of (await readJournal(path)).entries) {
        const { text, miss, reason } = lineSchema.parse(entry);
        known.set(text, { miss, reason });
      }
    } catch (cause) {
      throw invalidInput('QUERY_MISSES_BROKEN', `${path} does not hold what became of a run's questions`, {
        remedy: 'restore the file, or start a new run',
        cause,
      });
    }
    return new QueryMisses(path, known);
  }

  /** The last miss of a text; null where there was none. */
  get(text: Digest): QueryMiss | null {
    return this.known.get(text) ?? null;
  }

  /** The last miss of each text. */
  all(): ReadonlyMap<Digest, QueryMiss['miss']> {
    return new Map([...this.known].map(([text, { miss }]) => [text, miss]));
  }

  /** Notes a miss; durable when it returns. */
  async note(text: Digest, { miss, reason }: QueryMiss): Promise<void> {
    this.#journal ??= this.#open();
    await (await this.#journal).append({ format: 'query-miss@1', text, miss, reason });
    this.known.set(text, { miss, reason });
  }

  async close(): Promise<void> {
    await (await this.#journal)?.close();
  }

  async #open(): Promise<Journal> {
    await ensureFolder(dirname(this.path), PRIVATE_FOLDER_MODE);
    return openJournal(this.path, existsSync(this.path) ? 'append' : 'create');
  }
}
