import type { Digest } from '../../core/digest.js';
import { RecallMatrixError, type SourceLocation } from '../../core/errors.js';
import { Faults } from '../../fixture/faults.js';
import type { JsonLine } from '../../fixture/json-lines.js';
import type { Ranker } from '../../memory/recall/ranker.js';
import { quantised } from '../../memory/recall/ranking.js';
import { type OtherSystemLine, readOtherSystemFile } from './other-system-file.js';

/** An answer that another system gave. */
export interface GivenAnswer {
  readonly answer: string;
  readonly abstained: boolean;
  /** Whether there is a ranking beside it, to be scored as one. */
  readonly has_ranking: boolean;
}

/** What a fixture says that another system's file is checked against. */
export interface CheckedFixture {
  readonly id: string;
  /** Every question of it. */
  readonly questions: ReadonlySet<string>;
  /** Those that are asked. */
  readonly selected: readonly string[];
  /** Turns of its history: every one, or those of them that are cited. */
  readonly turns: ReadonlySet<string>;
}

/** Another system's rankings and answers (RT-7). */
export class OtherSystem {
  private constructor(
    private readonly path: string,
    private readonly file: string,
    private readonly lines: readonly JsonLine<OtherSystemLine>[],
  ) {}

  /**
   * @param path as the matrix names it.
   * @param file absolute.
   * @param digest that the matrix binds.
   * @throws {InvalidInputErrors} every fault of a line by itself, each with its line.
   */
  static async read(path: string, file: string, digest: Digest): Promise<OtherSystem> {
    return new OtherSystem(path, file, await readOtherSystemFile(file, digest));
  }

  /** The turns that its rankings name, with repeats. */
  citedTurns(): string[] {
    return this.lines.flatMap(({ value }) => (value.ranking ?? []).map(({ turn }) => turn));
  }

  /**
   * Checks the lines against the matrix's fixtures: every question that is asked has one line, every line is of one question, every turn is of its
   * fixture's history.
   */
  faultsAgainst(fixtures: readonly CheckedFixture[]): Faults['errors'] {
    const faults = new Faults();
    const owners = (question: string) => fixtures.filter(({ questions }) => questions.has(question));
    const seen = new Set<string>();
    for (const line of this.lines) {
      const { question, fixture: named, ranking } = line.value;
      const at = (key: string): SourceLocation => ({ file: this.file, line: line.line, column: line.columnOf(key) });
      const candidates = owners(question).filter(({ id }) => named === undefined || id === named);
      const [fixture] = candidates;
      if (fixture === undefined) {
        faults.add(
          'RANKING_OF_NO_QUESTION',
          `no fixture of the matrix has the question ${question}`,
          at('question'),
          'remove the line, or correct the id',
        );
        continue;
      }
      if (candidates.length > 1) {
        const ids = candidates.map(({ id }) => id).join(', ');
        faults.add('RANKING_AMBIGUOUS', `the question ${question} is in ${ids}`, at('question'), 'add `fixture`');
        continue;
      }
      const key = keyOf(fixture.id, question);
      if (seen.has(key))
        faults.add('RANKING_TWICE', `the question ${question} has a line already`, at('question'), 'keep one');
      seen.add(key);
      const unknown = ranking?.find(({ turn }) => !fixture.turns.has(turn));
      if (unknown !== undefined)
        faults.add(
          'RANKING_OF_NO_TURN',
          `${fixture.id} has no turn ${unknown.turn}`,
          at('ranking'),
          'use the ids of history.jsonl',
        );
    }
    for (const { id, selected } of fixtures) {
      for (const question of selected) {
        if (seen.has(keyOf(id, question))) continue;
        faults.add(
          'RANKING_MISSING',
          `${this.path} has no line for the question ${question}, which is asked`,
          { file: this.file },
          'add one; where the other system has nothing for it, say why in `failed`',
        );
      }
    }
    return faults.errors;
  }

  /** Whether the reader is asked: the file has neither an answer nor a failure for the question. */
  asksReader(fixture: string, question: string): boolean {
    return this.answerTo(fixture, question) === null && this.#line(fixture, question)?.failed === undefined;
  }

  /** The answer to a question; null where there is a ranking alone. */
  answerTo(fixture: string, question: string): GivenAnswer | null {
    const line = this.#line(fixture, question);
    if (line === undefined || (line.answer === undefined && line.abstained === undefined)) return null;
    return { answer: line.answer ?? '', abstained: line.abstained ?? false, has_ranking: line.ranking !== undefined };
  }

  /**
   * What a cell of a fixture is ranked by. Turns that may not be recalled for a question (said after it, or erased) are passed over, as no arm sees
   * them; then the first are taken, up to the limit.
   */
  ranker(fixture: string): Ranker {
    return {
      name: `the file ${this.path}`,
      rank: async ({ question, limit, items }) => {
        const line = this.#line(fixture, question.id);
        if (line?.failed !== undefined) throw otherSystemFailed(this.path, question.id, line.failed);
        const permitted = new Map(items.map((item) => [item.id, item]));
        return (line?.ranking ?? [])
          .filter(({ turn }) => permitted.has(turn))
          .slice(0, limit)
          .map(({ turn, score }) => ({ id: turn, score: score === undefined ? null : quantised(score) }));
      },
    };
  }

  readonly #byKey = new Map<string, OtherSystemLine>();

  #line(fixture: string, question: string): OtherSystemLine | undefined {
    if (this.#byKey.size === 0)
      for (const { value } of this.lines) this.#byKey.set(keyOf(value.fixture ?? null, value.question), value);
    return this.#byKey.get(keyOf(fixture, question)) ?? this.#byKey.get(keyOf(null, question));
  }
}

function keyOf(fixture: string | null, question: string): string {
  return JSON.stringify([fixture, question]);
}

/** The other system's own failure: it counts as one of its arm's (OB-4). */
function otherSystemFailed(path: string, question: string, why: string): RecallMatrixError {
  return new RecallMatrixError({
    kind: 'provider',
    code: 'OTHER_SYSTEM_FAILED',
    message: `${path} says that the other system failed for the question ${question}: ${why}`,
    remedy: 'ask the other system again, and replace the line',
  });
}
