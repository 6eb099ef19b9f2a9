/** How much of the evidence an arm's ranking brings, by how far one looks. Equal to `evidence-recall@K`, `evidence-recall@K-tokens` and `coverage`. */
export interface EvidenceFigures {
  /** Questions with evidence: the denominator of every mean here. */
  readonly questions: number;
  readonly rows: number;
  /** Recall within the first 1, 2, … items. Beyond the last it is `coverage`. */
  readonly by_rank: readonly number[];
  /** Recall within so many context tokens, rising; a step of `TOKEN_STEP` a point, the first where anything is found. */
  readonly by_tokens: readonly { readonly tokens: number; readonly recall: number }[];
  /** Recall without a bound. */
  readonly coverage: number;
}

/** What the curve by tokens is told to. */
const TOKEN_STEP = 50;

/** An item of a ranking: its rank from 1, the turns that it rests on, and the tokens of its context line. */
export interface RankedItem {
  readonly rank: number;
  readonly sources: readonly string[];
  readonly tokens: number | null;
}

interface Found {
  readonly rank: number;
  readonly tokens: number;
  readonly share: number;
}

/** Adds up rankings, each question averaged over each replicate's repeats and then over replicates, as other means are (RP-3). Only the open conversation's are held. */
export class EvidenceCurve {
  /** By question: what each replicate's repeats found. */
  readonly #open = new Map<string, Map<number, { rows: number; found: Found[] }>>();
  readonly #ranks = new Map<number, number>();
  readonly #tokens = new Map<number, number>();
  #questions = 0;
  #rows = 0;

  /** @param evidence turns, each once, at least one. @param items none where the row failed: it found nothing. */
  add(
    { question, replicate }: { readonly question: string; readonly replicate: number },
    evidence: ReadonlySet<string>,
    items: readonly RankedItem[],
  ): void {
    const own = this.#open.get(question) ?? new Map<number, { rows: number; found: Found[] }>();
    const entry = own.get(replicate) ?? { rows: 0, found: [] };
    this.#open.set(question, own.set(replicate, entry));
    entry.rows += 1;
    const seen = new Set<string>();
    let tokens = 0;
    for (const item of items) {
      tokens += item.tokens ?? 0;
      for (const turn of item.sources) {
        if (seen.has(turn) || !evidence.has(turn)) continue;
        seen.add(turn);
        entry.found.push({ rank: item.rank, tokens, share: 1 / evidence.size });
      }
    }
  }

  close(): void {
    for (const replicates of this.#open.values()) {
      this.#questions += 1;
      for (const { rows, found } of replicates.values()) {
        this.#rows += rows;
        this.#addFound(found, rows * replicates.size);
      }
    }
    this.#open.clear();
  }

  #addFound(found: readonly Found[], parts: number): void {
    for (const { rank, tokens, share } of found) {
      const step = Math.ceil(tokens / TOKEN_STEP) * TOKEN_STEP;
      this.#ranks.set(rank, (this.#ranks.get(rank) ?? 0) + share / parts);
      this.#tokens.set(step, (this.#tokens.get(step) ?? 0) + share / parts);
    }
  }

  /** @param limit how many items the arm asks for; null where it has none. Null without a question. */
  figures(limit: number | null): EvidenceFigures | null {
    if (this.#questions === 0) return null;
    const last = Math.max(limit ?? 1, ...this.#ranks.keys());
    let sum = 0;
    const by_rank = Array.from({ length: last }, (_, index) => {
      sum += this.#ranks.get(index + 1) ?? 0;
      return sum / this.#questions;
    });
    sum = 0;
    const steps = [...this.#tokens.keys()].sort((one, other) => one - other);
    const by_tokens = steps.map((tokens) => {
      sum += this.#tokens.get(tokens) as number;
      return { tokens, recall: sum / this.#questions };
    });
    return {
      questions: this.#questions,
      rows: this.#rows,
      by_rank,
      by_tokens,
      coverage: by_rank.at(-1) as number,
    };
  }
}
