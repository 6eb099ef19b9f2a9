import { type Digest, digestText } from '../../core/digest.js';
import { RecallMatrixError } from '../../core/errors.js';
import { scanForConfigured } from '../../core/secret-scan.js';
import type { Label } from '../../fixture/label.js';
import type { Question } from '../../fixture/question.js';
import type { ModelChoice } from '../../matrix/matrix.js';
import type { AssembledContext } from '../../memory/context/context.js';
import { createDeliberateReader } from '../../memory/reader/create-deliberate-reader.js';
import { createReader } from '../../memory/reader/create-reader.js';
import type { SearchedMemory } from '../../memory/reader/deliberation.js';
import type { Completion, CompletionProvider } from '../../provider/completion.js';
import type { ScoredRow } from '../../scoring/scoring.js';
import { ranks } from '../arm-needs.js';
import { blockName } from '../block-id.js';
import type { Cell } from '../cell.js';
import type { GivenAnswer } from '../user-parts/other-system.js';
import type { Asked } from './asked.js';
import type { AskingTools } from './asking-tools.js';
import { CallAccount } from './call-account.js';
import { exactRequest } from './exact-request.js';
import { type Outcome, outcomeOf } from './outcome.js';
import { Retrieval } from './retrieval.js';
import type { Cause } from './row-cause.js';
import { scoredRow } from './score-asked.js';

/**
 * Asks one question under one arm: recalls, assembles the context and reads, for real (DESIGN: the way of the data).
 *
 * The result's calls throw kind `budget` where a call was not admitted: the caller decides whether to call again, and what a deliberate reader
 * has searched and paid by then is not searched again; and what keeps this machine from writing down what happens (a full disk): no question
 * can be asked then. Anything else becomes an outcome.
 */
export function asking(tools: AskingTools, cell: Cell, question: Question, label: Label): () => Promise<Asked> {
  const attempt = new Attempt(tools, cell, question, label);
  return async () => {
    try {
      await attempt.run();
      return attempt.asked({ kind: 'answered', cause: null }, null);
    } catch (error) {
      if (error instanceof RecallMatrixError && (error.kind === 'budget' || UNWRITTEN.has(error.code))) throw error;
      await attempt.scoreFailure();
      return attempt.asked(outcomeOf(error, attempt.stage), error);
    }
  };
}

/** Codes of what could not be written, to the ledger or to the run folder. */
const UNWRITTEN: ReadonlySet<string> = new Set([
  'JOURNAL_WRITE_FAILED',
  'LEDGER_UNRESOLVED',
  'RUN_FOLDER_WRITE_FAILED',
]);

/** A key that a model repeats is kept in no row (MX-4): the question fails, of the arm's own making. */
function holdsSecret(what: 'answer' | 'query'): RecallMatrixError {
  return new RecallMatrixError({
    kind: 'provider',
    code: 'ANSWER_HOLDS_SECRET',
    message: `the reader's ${what} holds a configured secret, and is not kept`,
    remedy: 'take the key out of the history or the prompt, and change it',
  });
}

class Attempt {
  stage: Cause['stage'] = 'reader';
  readonly #retrieval: Retrieval;
  #answer: string | null = null;
  #abstained: boolean | null = null;
  #request: Asked['request'] = null;
  #isGiven = false;
  #moduleScores: Asked['module_scores'] = {};
  readonly #reader = new CallAccount();
  /** What the model has said, by request: a refused search, tried alone, begins the reader anew, and nothing is paid twice (MX-9). */
  readonly #said = new Map<Digest, Completion>();
  #readerMs = 0;

  constructor(
    private readonly tools: AskingTools,
    private readonly cell: Cell,
    private readonly question: Question,
    private readonly label: Label,
  ) {
    this.#retrieval = new Retrieval(tools, cell, question, label, (stage) => {
      this.stage = stage;
    });
  }

  async run(): Promise<void> {
    const { session, fixture } = this.tools;
    const { arm } = this.cell;
    const given = session.userParts.givenAnswer(arm, fixture.manifest.id, this.question.id);
    // Nothing is embedded for a question that the reader will not be asked.
    if (given === null) session.providers.throwIfRefused(session.loaded.matrix.reader);
    if (arm.recall === 'deliberate') await this.#retrieval.forSearches();
    else if (given === null || given.has_ranking) await this.#retrieval.onQuestion();
    this.stage = 'reader';
    if (given === null) await this.#read();
    else this.#take(given);
    this.stage = 'scoring';
    this.#moduleScores = await session.userParts.scores(this.#scored());
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
    this.#refuseSecrets('answer', answer);
    this.#answer = answer;
    this.#abstained = abstained;
  }

  /** What a model wrote, before it is kept or sent on. */
  #refuseSecrets(what: 'answer' | 'query', text: string): void {
    if (scanForConfigured(text, this.tools.session.providers.secretValues).length > 0) throw holdsSecret(what);
  }

  async #read(): Promise<void> {
    const { session, fixture } = this.tools;
    const { reader: choice } = session.loaded.matrix;
    const settings = {
      prompt: choice.prompt,
      model: session.providers.resolve(choice),
      parameters: choice.parameters,
      fixture: fixture.manifest.id,
    };
    const provider = this.#readerCalls(choice);
    const reading =
      this.cell.arm.recall === 'deliberate'
        ? await createDeliberateReader(settings).read(this.question, this.#searched(), provider, session.signal)
        : await createReader(settings).read(
            this.question,
            this.#retrieval.context as AssembledContext,
            provider,
            session.signal,
          );
    this.#keep(reading.answer, reading.abstained);
  }

  /** What the reader searches. Its query is a model's text: it goes no further where it holds a key. */
  #searched(): SearchedMemory {
    const retrieval = this.#retrieval;
    return {
      searches: retrieval.searches,
      get context() {
        return retrieval.context as AssembledContext;
      },
      search: (search) => {
        this.#refuseSecrets('query', [search.query, ...search.subjects].join('\n'));
        return retrieval.search(search, this.#request as Digest);
      },
    };
  }

  /** The reader's model; each exact request is kept before it is sent. */
  #readerCalls(choice: ModelChoice): CompletionProvider {
    const { session, fixture, folder } = this.tools;
    const attribution = {
      arm: this.cell.arm.name,
      stage: 'reader' as const,
      fixture: blockName(this.tools.id),
      unit: this.question.id,
    };
    const live = session.providers.completions(choice, fixture, session.ledger, attribution, this.#reader.add);
    return {
      complete: async (request, signal) => {
        this.stage = 'reader';
        const text = exactRequest(request);
        this.#request = digestText(text);
        const said = this.#said.get(this.#request);
        if (said !== undefined) return said;
        await folder.keepRequest(this.#request, text);
        const start = session.clock.monotonicMs();
        try {
          const completion = await live.complete(request, signal);
          this.#said.set(this.#request, completion);
          return completion;
        } finally {
          this.#readerMs += session.clock.monotonicMs() - start;
        }
      },
    };
  }

  asked(outcome: Outcome, error: unknown): Asked {
    return {
      outcome,
      error,
      recalled: this.#retrieval.recalled,
      context: this.#retrieval.context,
      lessons: this.#retrieval.lessons,
      searches: this.#retrieval.searches,
      answer: this.#answer,
      abstained: this.#abstained,
      request: this.#request,
      query: this.#retrieval.preparation,
      reader: this.#reader,
      is_given: this.#isGiven,
      module_scores: this.#moduleScores,
      timings_ms: { ...this.#retrieval.timings, reader: this.#readerMs },
    };
  }
}
