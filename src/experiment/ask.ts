import { digestText } from '../core/digest.js';
import { RecallMatrixError } from '../core/errors.js';
import { scanForConfigured } from '../core/secret-scan.js';
import type { Fixture } from '../fixture/fixture.js';
import type { Label } from '../fixture/label.js';
import type { Question } from '../fixture/question.js';
import type { AssembledContext, ContextAssembler } from '../memory/context/context.js';
import type { RecallResult } from '../memory/memory.js';
import { createReader } from '../memory/reader/create-reader.js';
import type { CompletionProvider } from '../provider/completion.js';
import type { ScoredRow, Scorer } from '../scoring/scoring.js';
import { ranks } from './arm-needs.js';
import { type BlockId, blockName } from './block-id.js';
import { CallAccount } from './call-account.js';
import type { Cell } from './cell.js';
import { exactRequest } from './exact-request.js';
import { type Outcome, outcomeOf } from './outcome.js';
import type { QueryCost, QueryVectors } from './query-vectors.js';
import type { Cause } from './row-cause.js';
import type { RunFolder } from './run-folder.js';
import type { Session } from './session.js';
import type { GivenAnswer } from './user-parts/other-system.js';

/** What asking one question under one arm gave, before it becomes a row. */
export interface Asked {
  readonly outcome: Outcome;
  /** What was thrown, for the run's exit code; null where nothing was. */
  readonly error: unknown;
  readonly recalled: RecallResult | null;
  readonly context: AssembledContext | null;
  readonly answer: string | null;
  readonly abstained: boolean | null;
  readonly request: `sha256:${string}` | null;
  readonly query: QueryCost | null;
  readonly reader: CallAccount;
  /** The answer is another system's: what it read is not known. */
  readonly is_given: boolean;
  /** By scorers that are modules of the user's own (RT-6). */
  readonly module_scores: { readonly [scorer: string]: number | null };
  readonly timings_ms: { readonly recall: number; readonly context: number; readonly reader: number };
}

/** What a block hands to each of its questions. */
export interface AskingTools {
  readonly id: BlockId;
  readonly session: Session;
  readonly fixture: Fixture;
  readonly folder: RunFolder;
  readonly assembler: ContextAssembler;
  readonly queries: QueryVectors | null;
}

/**
 * Recalls, assembles the context and reads, for real (DESIGN: the way of the data).
 *
 * @throws kind `budget` where the reader's call was not admitted: the caller decides whether to try again; and what keeps this machine from
 * writing down what happens (a full disk): no question can be asked then. Anything else becomes an outcome.
 */
export async function ask(tools: AskingTools, cell: Cell, question: Question, label: Label): Promise<Asked> {
  const attempt = new Attempt(tools, cell, question, label);
  try {
    await attempt.run();
    return attempt.asked({ kind: 'answered', cause: null }, null);
  } catch (error) {
    if (error instanceof RecallMatrixError && (error.kind === 'budget' || UNWRITTEN.has(error.code))) throw error;
    await attempt.scoreFailure();
    return attempt.asked(outcomeOf(error, attempt.stage), error);
  }
}

/** Codes of what could not be written, to the ledger or to the run folder. */
const UNWRITTEN: ReadonlySet<string> = new Set([
  'JOURNAL_WRITE_FAILED',
  'LEDGER_UNRESOLVED',
  'RUN_FOLDER_WRITE_FAILED',
]);

/** A row that was never asked: the budget, or the user, stopped the run. */
export function notAsked(cause: Cause, kind: 'refused' | 'skipped'): Asked {
  return {
    outcome: { kind, cause },
    error: null,
    recalled: null,
    context: null,
    answer: null,
    abstained: null,
    request: null,
    query: null,
    reader: new CallAccount(),
    is_given: false,
    module_scores: {},
    timings_ms: { recall: 0, context: 0, reader: 0 },
  };
}

/** A key that a model repeats is kept in no row (MX-4): the question fails, of the arm's own making. */
function answerHoldsSecret(): RecallMatrixError {
  return new RecallMatrixError({
    kind: 'provider',
    code: 'ANSWER_HOLDS_SECRET',
    message: "the reader's answer holds a configured secret, and is not kept",
    remedy: 'take the key out of the history or the prompt, and change it',
  });
}

class Attempt {
  stage: Cause['stage'] = 'reader';
  #query: QueryCost | null = null;
  #recalled: RecallResult | null = null;
  #context: AssembledContext | null = null;
  #answer: string | null = null;
  #abstained: boolean | null = null;
  #request: Asked['request'] = null;
  #isGiven = false;
  #moduleScores: Asked['module_scores'] = {};
  readonly #reader = new CallAccount();
  readonly #timings = { recall: 0, context: 0, reader: 0 };

  constructor(
    private readonly tools: AskingTools,
    private readonly cell: Cell,
    private readonly question: Question,
    private readonly label: Label,
  ) {}

  async run(): Promise<void> {
    const { session, fixture } = this.tools;
    const { arm } = this.cell;
    const given = session.userParts.givenAnswer(arm, fixture.manifest.id, this.question.id);
    // Nothing is embedded for a question that the reader will not be asked.
    if (given === null) session.providers.throwIfRefused(session.loaded.matrix.reader);
    if (given === null || given.has_ranking) await this.#retrieve();
    this.stage = 'reader';
    if (given === null) await this.#timed('reader', () => this.#read());
    else this.#take(given);
    this.stage = 'scoring';
    this.#moduleScores = await session.userParts.scores(this.#scored());
  }

  async #retrieve(): Promise<void> {
    this.stage = 'query';
    const { session, fixture, assembler, queries } = this.tools;
    const { arm } = this.cell;
    const { owner } = fixture.manifest;
    const readCeiling = arm.retrieval.read_ceiling;
    if (this.cell.uses_vectors && queries !== null) {
      this.#query = await queries.prepare(owner, this.question, session.signal);
    }
    this.stage = 'recall';
    // The one place where evidence reaches a retrieval: its ids, for the arm that is named after them (FX-3).
    const oracle = arm.retrieval.strategy === 'evidence' ? this.label.evidence : null;
    this.#recalled = await this.#timed('recall', () =>
      this.cell.recall.recall(
        { owner, question: this.question, read_ceiling: readCeiling, oracle_turns: oracle },
        session.signal,
      ),
    );
    this.stage = 'context';
    const budget = arm.retrieval.strategy === 'full-history' ? null : session.loaded.matrix.context.tokens;
    const { items } = this.#recalled;
    this.#context = await this.#timed('context', async () => assembler.assemble(items, budget));
  }

  /** Asks scorer modules of a failed row which of them apply to it: the denominators need it (OB-4). One that fails does not apply. */
  async scoreFailure(): Promise<void> {
    if (this.stage === 'scoring') return;
    this.#moduleScores = await this.tools.session.userParts.scores(this.#scored()).catch(() => ({}));
  }

  #scored(): ScoredRow {
    return scoredRow(this.asked({ kind: 'answered', cause: null }, null), this.label, ranks(this.cell.arm));
  }

  /** Another system's answer is scored as it is (RT-7). */
  #take({ answer, abstained }: GivenAnswer): void {
    this.#isGiven = true;
    this.#keep(answer, abstained);
  }

  #keep(answer: string, abstained: boolean): void {
    if (scanForConfigured(answer, this.tools.session.providers.secretValues).length > 0) throw answerHoldsSecret();
    this.#answer = answer;
    this.#abstained = abstained;
  }

  async #read(): Promise<void> {
    const { session, fixture, folder } = this.tools;
    const { reader: choice } = session.loaded.matrix;
    const reader = createReader({
      prompt: choice.prompt,
      model: session.providers.resolve(choice),
      parameters: choice.parameters,
      fixture: fixture.manifest.id,
    });
    const attribution = {
      arm: this.cell.arm.name,
      stage: 'reader' as const,
      fixture: blockName(this.tools.id),
      unit: this.question.id,
    };
    const live = session.providers.completions(choice, fixture, session.ledger, attribution, this.#reader.add);
    const kept: CompletionProvider = {
      complete: async (request, signal) => {
        const text = exactRequest(request);
        this.#request = digestText(text);
        await folder.keepRequest(this.#request, text);
        return live.complete(request, signal);
      },
    };
    const reading = await reader.read(this.question, this.#context as AssembledContext, kept, session.signal);
    this.#keep(reading.answer, reading.abstained);
  }

  async #timed<T>(stage: keyof Asked['timings_ms'], work: () => Promise<T>): Promise<T> {
    const { clock } = this.tools.session;
    const start = clock.monotonicMs();
    try {
      return await work();
    } finally {
      this.#timings[stage] = clock.monotonicMs() - start;
    }
  }

  asked(outcome: Outcome, error: unknown): Asked {
    return {
      outcome,
      error,
      recalled: this.#recalled,
      context: this.#context,
      answer: this.#answer,
      abstained: this.#abstained,
      request: this.#request,
      query: this.#query,
      reader: this.#reader,
      is_given: this.#isGiven,
      module_scores: this.#moduleScores,
      timings_ms: this.#timings,
    };
  }
}

/** Scores an asked question; a row without an answer has null scores, and still says which scorers apply to it. */
export function scoreAsked(
  asked: Asked,
  label: Label,
  scorers: readonly Scorer[],
  ranked: boolean,
): { scores: Record<string, number | null>; applicable: string[] } {
  const row = scoredRow(asked, label, ranked);
  const scores = [
    ...scorers.map((scorer) => [scorer.name, scorer.score(row)] as const),
    ...Object.entries(asked.module_scores),
  ];
  const answered = asked.outcome.kind === 'answered';
  return {
    scores: Object.fromEntries(scores.map(([name, score]) => [name, answered ? score : null])),
    applicable: scores.flatMap(([name, score]) => (score === null ? [] : [name])),
  };
}

function scoredRow(asked: Asked, label: Label, ranked: boolean): ScoredRow {
  return {
    label,
    answer: asked.answer ?? '',
    abstained: asked.abstained ?? false,
    // An answer that was given without a ranking has none to be scored.
    ranked_sources: ranked && !(asked.is_given && asked.recalled === null) ? rankedSources(asked) : null,
  };
}

/** Turns in the rank order of the items that brought them, the first rank of each. */
function rankedSources({ recalled, context }: Asked): NonNullable<ScoredRow['ranked_sources']> {
  const sources = new Map<string, { turn: string; rank: number; tokens: number }>();
  let tokens = 0;
  for (const [index, item] of (recalled?.items ?? []).entries()) {
    tokens += context?.item_tokens[index] ?? 0;
    for (const turn of item.sources) if (!sources.has(turn)) sources.set(turn, { turn, rank: item.rank, tokens });
  }
  return [...sources.values()];
}
