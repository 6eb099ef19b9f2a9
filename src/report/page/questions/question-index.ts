import { invalidInput } from '../../../core/errors.js';
import type { Observation, RunResult } from '../../../experiment/experiment.js';
import { countedScore, recordedSample } from '../../../experiment/run-record.js';
import { rowState } from './answer-detail.js';
import { type QuestionIndex, ROW_STATES } from './page-data.js';

/** What the index holds of a long text: what a list can show, and a search can find. */
const INDEXED_CHARACTERS = 240;

/** What the index says of a question. */
export interface IndexedQuestion {
  readonly id: string;
  readonly category: string;
  readonly answerable: boolean;
  readonly text: string | null;
  readonly expected: readonly string[] | null;
  readonly block: number;
}

/** Makes the index, a question and its rows at a time: some numbers and two short texts a row (PF-5). */
export class QuestionIndexBuilder {
  readonly #arms: QuestionIndex['arms'];
  readonly #armPlaces: ReadonlyMap<string, number>;
  readonly #scorer: string | null;
  readonly #rightFrom: number;
  readonly #learntFrom: ReturnType<typeof recordedSample>;
  readonly #fixtures: string[] = [];
  readonly #missing: (string | null)[] = [];
  readonly #categories = new Map<string, number>();
  readonly #causes = new Map<string, number>();
  readonly #questions = {
    fixture: [] as number[],
    id: [] as string[],
    category: [] as number[],
    answerable: [] as (0 | 1)[],
    in_sample: [] as (0 | 1)[],
    text: [] as (string | null)[],
    expected: [] as (string | null)[],
    block: [] as number[],
  };
  readonly #rows = {
    question: [] as number[],
    arm: [] as number[],
    replicate: [] as number[],
    state: [] as number[],
    cause: [] as number[],
    score: [] as (number | null)[],
    answer: [] as (string | null)[],
  };

  constructor({ arms, lessons }: Pick<RunResult, 'arms' | 'lessons'>) {
    // As in every table, references come last.
    const ordered = [...arms.filter(({ reference }) => !reference), ...arms.filter(({ reference }) => reference)];
    this.#arms = ordered.map(({ arm, reference }) => ({ name: arm, reference }));
    this.#armPlaces = new Map(ordered.map(({ arm }, place) => [arm, place]));
    this.#scorer = arms[0]?.misses.scorer ?? null;
    this.#rightFrom = arms[0]?.misses.below ?? 0;
    this.#learntFrom = recordedSample({ lessons });
  }

  /** @returns its place. */
  fixture(id: string, missing: string | null): number {
    this.#fixtures.push(id);
    this.#missing.push(missing);
    return this.#fixtures.length - 1;
  }

  /** @throws `RUN_MANIFEST_BROKEN` (exit 2): rows of an arm that the result does not name are no other arm's. */
  armPlace(arm: string): number {
    const place = this.#armPlaces.get(arm);
    if (place !== undefined) return place;
    throw invalidInput('RUN_MANIFEST_BROKEN', `run.json says nothing of the arm ${arm}, which the matrix has`, {
      remedy: 'restore the run folder as the run left it',
    });
  }

  /** @returns the question's place. */
  question(fixture: number, { id, category, answerable, text, expected, block }: IndexedQuestion): number {
    const { length } = this.#questions.id;
    this.#questions.fixture.push(fixture);
    this.#questions.id.push(id);
    this.#questions.category.push(placeIn(this.#categories, category));
    this.#questions.answerable.push(answerable ? 1 : 0);
    const own = { fixture: this.#fixtures[fixture] as string, question: id };
    this.#questions.in_sample.push(this.#learntFrom?.has(own) === true ? 1 : 0);
    this.#questions.text.push(beginning(text));
    this.#questions.expected.push(beginning(expected?.join(' / ') ?? null));
    this.#questions.block.push(block);
    return length;
  }

  row(question: number, row: Observation): void {
    this.#rows.question.push(question);
    this.#rows.arm.push(this.armPlace(row.arm));
    this.#rows.replicate.push(row.replicate);
    this.#rows.state.push(ROW_STATES.indexOf(rowState(row)));
    this.#rows.cause.push(row.miss === null ? -1 : placeIn(this.#causes, row.miss.cause));
    this.#rows.score.push(this.#scorer === null ? null : countedScore(row, this.#scorer));
    this.#rows.answer.push(beginning(row.answer));
  }

  index(): QuestionIndex {
    return {
      arms: this.#arms,
      fixtures: this.#fixtures,
      missing: this.#missing,
      categories: [...this.#categories.keys()],
      causes: [...this.#causes.keys()],
      scorer: this.#scorer,
      right_from: this.#rightFrom,
      questions: { ...this.#questions, in_sample: this.#learntFrom === null ? null : this.#questions.in_sample },
      rows: this.#rows,
    };
  }
}

function placeIn(places: Map<string, number>, word: string): number {
  const place = places.get(word) ?? places.size;
  places.set(word, place);
  return place;
}

/** Whole characters of it: half of one would show as another. */
function beginning(text: string | null): string | null {
  if (text === null || text.length <= INDEXED_CHARACTERS) return text;
  return `${[...text.slice(0, INDEXED_CHARACTERS)].slice(0, -1).join('')}…`;
}
