import type { Digest } from '../../core/digest.js';
import type { Label } from '../../fixture/label.js';
import type { Question } from '../../fixture/question.js';
import type { AssembledContext } from '../../memory/context/context.js';
import type { RecallResult } from '../../memory/memory.js';
import { queryText } from '../../memory/query-preparation/query-identity.js';
import type { Search, ToldSearch } from '../../memory/reader/deliberation.js';
import { mergeFound } from '../../memory/recall/found-items.js';
import { addUsage, type Usage } from '../../provider/usage.js';
import type { Cell } from '../cell.js';
import type { LessonLine } from '../run-lessons.js';
import { sumKnown } from '../summary/amounts.js';
import type { QueryCost } from '../vectors/query-vectors.js';
import type { AskingTools } from './asking-tools.js';
import type { Cause } from './row-cause.js';

/** One search of a deliberate reader, as its row keeps it (RT-8). */
export interface MadeSearch extends ToldSearch, Omit<RecallResult, 'items'> {
  /** Ids of what it found, best first. */
  readonly retrieved: readonly string[];
  /** Digest of the exact request that it was the answer to. */
  readonly request: Digest;
}

/** What preparing a row's vectors takes, each text counted once. */
export type PreparationCost = Pick<QueryCost, 'usage' | 'attributed_nano_usd'>;

const NOTHING: RecallResult = { effective_strategy: 'none', lookup_miss: null, items: [] };

/** All recalls of one question under one arm, on the question itself or on the queries of its reader (RT-8), and the context that they make. */
export class Retrieval {
  readonly timings = { recall: 0, context: 0 };
  readonly searches: MadeSearch[] = [];
  readonly #prepared = new Map<string, PreparationCost>();
  #recalled: RecallResult | null = null;
  #context: AssembledContext | null = null;
  readonly #lessons: readonly LessonLine[];

  /** @param at hears where the retrieval is: what is thrown then is of that stage. */
  constructor(
    private readonly tools: AskingTools,
    private readonly cell: Cell,
    private readonly question: Question,
    private readonly label: Label,
    private readonly at: (stage: Cause['stage']) => void,
  ) {
    this.#lessons = tools.session.lessons?.linesFor(tools.fixture.corpus, question) ?? [];
  }

  /** Null before anything was recalled. */
  get recalled(): RecallResult | null {
    return this.#recalled;
  }

  get context(): AssembledContext | null {
    return this.#context;
  }

  /** Those that stand in the context (LE-6). */
  get lessons(): Digest[] {
    return this.#lessons.slice(0, this.#context?.preface ?? 0).flatMap(({ lessons }) => lessons);
  }

  /** Null where no vector was to be prepared. */
  get preparation(): PreparationCost | null {
    if (this.#prepared.size === 0) return null;
    const costs = [...this.#prepared.values()];
    return {
      usage: costs.map(({ usage }) => usage).reduce(addKnown),
      attributed_nano_usd: sumKnown(costs.map(({ attributed_nano_usd }) => attributed_nano_usd)),
    };
  }

  /** Recalls on the question itself, unless that is done. */
  async onQuestion(): Promise<void> {
    if (this.#context !== null) return;
    this.#recalled = await this.#recall(this.question);
    this.#context = await this.#assemble(this.#recalled);
  }

  /** Begins with nothing found, for a reader that searches itself; what it found already stays. */
  async forSearches(): Promise<void> {
    this.#context ??= await this.#assemble(NOTHING);
    this.#recalled ??= NOTHING;
  }

  /**
   * Recalls on a reader's query, as of the question's time and under the arm's ceiling, behind all that was found before (RT-8). What throws
   * changes nothing but the cost.
   */
  async search(search: Search, request: Digest): Promise<void> {
    const before = this.#context?.lines.length ?? 0;
    const found = await this.#recall({ ...this.question, question: search.query, subjects: search.subjects });
    const items = mergeFound(this.#recalled?.items ?? [], found.items);
    this.#context = await this.#assemble({ ...found, items });
    const { effective_strategy, lookup_miss } = found;
    this.searches.push({
      ...search,
      new_lines: this.#context.lines.length - before,
      effective_strategy,
      lookup_miss,
      retrieved: found.items.map(({ id }) => id),
      request,
    });
    // Of several searches the first that missed stands for all: it is what degrades the row.
    const told = this.searches.find((one) => one.lookup_miss !== null) ?? (this.searches[0] as MadeSearch);
    this.#recalled = { effective_strategy: told.effective_strategy, lookup_miss: told.lookup_miss, items };
  }

  async #recall(asked: Question): Promise<RecallResult> {
    const { session, fixture, queries } = this.tools;
    const { owner } = fixture.manifest;
    const { strategy, read_ceiling } = this.cell.arm.retrieval;
    if (this.cell.uses_vectors && queries !== null) {
      this.at('query');
      const cost = await queries.prepare(owner, asked, session.signal);
      const text = queryText(asked);
      if (!this.#prepared.has(text)) this.#prepared.set(text, cost);
    }
    this.at('recall');
    // The one place where evidence reaches a retrieval: its ids, for the arm that is named after them (FX-3).
    const oracle = strategy === 'evidence' ? this.label.evidence : null;
    const query = { owner, question: asked, read_ceiling, oracle_turns: oracle };
    return this.#timed('recall', () => this.cell.recall.recall(query, session.signal));
  }

  #assemble({ items }: RecallResult): Promise<AssembledContext> {
    this.at('context');
    const { session, assembler } = this.tools;
    const { retrieval, context } = this.cell.arm;
    const { strategy } = retrieval;
    // An arm that injects none has no room for them.
    const preface = { lines: this.#lessons.map(({ text }) => text), tokens: context?.lesson_tokens ?? 0 };
    const budget = strategy === 'full-history' ? null : session.loaded.matrix.context.tokens;
    return this.#timed('context', async () => assembler.assemble(items, budget, preface));
  }

  async #timed<T>(stage: 'recall' | 'context', work: () => Promise<T>): Promise<T> {
    const { clock } = this.tools.session;
    const start = clock.monotonicMs();
    try {
      return await work();
    } finally {
      this.timings[stage] += clock.monotonicMs() - start;
    }
  }
}

function addKnown(a: Usage | null, b: Usage | null): Usage | null {
  return a === null || b === null ? null : addUsage(a, b);
}
