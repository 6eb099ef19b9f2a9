import { existsSync } from 'node:fs';
import { z } from 'zod';
import type { JsonValue } from '../../core/canonical-json.js';
import { DIGEST_PATTERN, type Digest } from '../../core/digest.js';
import { invalidInput, messageOf } from '../../core/errors.js';
import { openJournal, readJournal } from '../../core/journal.js';

const count = z.int().min(0);

/** One line of `judgements.jsonl`: one verdict, durable before any row is finalised with it (OB-7). */
export const verdictSchema = z.strictObject({
  format: z.literal('judgement@1'),
  judge: z.string(),
  /** The exact request, in requests/: the same for every arm, question and repeat that gave this answer. */
  request: z.custom<Digest>((value) => typeof value === 'string' && DIGEST_PATTERN.test(value)),
  repeat: z.int().min(1),
  /** Whose answer was first asked about. */
  fixture: z.string(),
  question: z.string(),
  correct: z.boolean(),
  reason: z.string(),
  /** What the verdict cost on its own; null where unknown or unpriced. */
  usage: z
    .strictObject({
      input_uncached: count,
      cache_read: count,
      cache_write: count,
      output: count,
      reasoning: count,
    })
    .nullable(),
  nano_usd: count.nullable(),
  reported_models: z.array(z.string()),
});

/** One verdict as it is kept. */
export type KeptVerdict = z.output<typeof verdictSchema>;

/** The verdicts of a run, those of earlier sessions included: what stands here is not asked again. */
export class JudgementFile {
  readonly #verdicts = new Map<string, Map<number, KeptVerdict>>();

  private constructor(private readonly path: string) {}

  /**
   * Reads a run's file; there may be none yet.
   *
   * @throws `JUDGEMENTS_BROKEN` (exit 2) where a line of it is none.
   */
  static async read(path: string): Promise<JudgementFile> {
    const file = new JudgementFile(path);
    if (existsSync(path)) for (const verdict of await readVerdicts(path)) file.#know(verdict);
    return file;
  }

  /** The verdicts on an item, in the order of their repeats. */
  verdictsOn(judge: string, request: Digest): readonly KeptVerdict[] {
    const known = this.#verdicts.get(keyOf(judge, request)) ?? new Map<number, KeptVerdict>();
    return [...known.values()].sort((a, b) => a.repeat - b.repeat);
  }

  /** Every item that a judge has a verdict on, in the order of its first. */
  itemsOf(judge: string): (readonly KeptVerdict[])[] {
    const requests = [...this.#verdicts.values()].flatMap((known) => {
      const [first] = known.values();
      return first?.judge === judge ? [first.request] : [];
    });
    return requests.map((request) => this.verdictsOn(judge, request));
  }

  /**
   * Opens the file for what `work` adds to it.
   *
   * @param work is handed what keeps a verdict: it is on the disk when that returns.
   */
  async adding(work: (keep: (verdict: KeptVerdict) => Promise<void>) => Promise<void>): Promise<void> {
    const journal = await openJournal(this.path, existsSync(this.path) ? 'append' : 'create');
    try {
      await work(async (verdict) => {
        await journal.append(verdict as unknown as JsonValue);
        this.#know(verdict);
      });
    } finally {
      await journal.close();
    }
  }

  #know(verdict: KeptVerdict): void {
    const key = keyOf(verdict.judge, verdict.request);
    const known = this.#verdicts.get(key) ?? new Map<number, KeptVerdict>();
    this.#verdicts.set(key, known.set(verdict.repeat, verdict));
  }
}

async function readVerdicts(path: string): Promise<KeptVerdict[]> {
  try {
    const { entries } = await readJournal(path);
    return entries.map((entry) => verdictSchema.parse(entry));
  } catch (cause) {
    const [issue] = cause instanceof z.ZodError ? cause.issues : [];
    const why = issue === undefined ? messageOf(cause) : `${issue.path.join('.') || 'its form'}: ${issue.message}`;
    throw invalidInput('JUDGEMENTS_BROKEN', `${path} holds a line that is no verdict: ${why}`, {
      remedy: 'restore the file, or move it away: its verdicts are then asked for, and paid, again',
      location: { file: path },
      cause,
    });
  }
}

function keyOf(judge: string, request: Digest): string {
  return `${judge}\0${request}`;
}
