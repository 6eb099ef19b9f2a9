import type { Digest } from '../../../core/digest.js';
import type { Observation, RunLessons } from '../../../experiment/experiment.js';
import type { RecordedRequest } from '../../../experiment/run-record.js';
import type { BeliefState } from '../../../parity/parity.js';
import { beliefsOf, type KnownBelief } from './known-beliefs.js';
import { turnsOfState } from './known-turns.js';
import type { FixtureTexts, ItemText, RequestText, TurnText } from './page-data.js';
import { TextPool } from './text-pool.js';

const NOTHING_KNOWN: Omit<TurnText, 'id'> = {
  session: null,
  at: null,
  speaker: null,
  text: null,
  caption: null,
  erased: false,
};

/** The texts that the details of one fixture refer to: those that some row names, each once, however many rows name it. */
export class FixtureTextsBuilder {
  readonly #pieces = new TextPool();
  readonly #items = new TextPool();
  readonly #turns: TurnText[] = [];
  readonly #turnPlaces = new Map<string, number>();
  readonly #known: Map<string, TurnText>;
  readonly #lessons = new TextPool();
  readonly #beliefs = new Map<string, Map<string, KnownBelief>>();

  /**
   * @param turns of the fixture, where it is at hand.
   * @param lessons of the run, where they are at hand.
   */
  constructor(
    turns: Map<string, TurnText>,
    private readonly lessons: Pick<RunLessons, 'textOf'> | null,
  ) {
    this.#known = turns;
  }

  /** Takes in a state that rows were read from. */
  addState(digest: string, state: BeliefState): void {
    if (this.#beliefs.has(digest)) return;
    this.#beliefs.set(digest, beliefsOf(state));
    for (const [id, turn] of turnsOfState(state)) if (!this.#known.has(id)) this.#known.set(id, turn);
  }

  hasState(digest: string): boolean {
    return this.#beliefs.has(digest);
  }

  turn(id: string): number {
    const place = this.#turnPlaces.get(id) ?? this.#turns.length;
    if (place === this.#turns.length) {
      this.#turns.push(this.#known.get(id) ?? { id, ...NOTHING_KNOWN });
      this.#turnPlaces.set(id, place);
    }
    return place;
  }

  /** What a row retrieved, as it stood in the state that the row was read from. */
  item(row: Pick<Observation, 'state' | 'unit'>, id: string, sources: readonly string[]): number {
    const belief = row.state === null ? undefined : this.#beliefs.get(row.state)?.get(id);
    const turn = this.#known.get(id);
    const places = sources.map((source) => this.turn(source));
    const bare: ItemText = {
      id,
      kind: 'unknown',
      text: null,
      subjects: [],
      at: null,
      superseded_by: [],
      sources: places,
    };
    if (row.unit === 'turns') {
      if (turn === undefined) return this.#place(bare);
      // Its text stands with its source, which it is.
      return this.#place({ ...bare, kind: 'turn', sources: [this.turn(id)] });
    }
    if (belief === undefined) return this.#place(bare);
    const { statement, subjects, at, superseded_by } = belief;
    return this.#place({ ...bare, kind: 'belief', text: statement, subjects, at, superseded_by });
  }

  lesson(id: string): number {
    return this.#lessons.place(id);
  }

  request({ model, messages }: RecordedRequest): RequestText {
    return {
      model,
      messages: messages.map(({ role, content }) => ({ role, pieces: this.#pieces.pieces(content) })),
    };
  }

  texts(): FixtureTexts {
    return {
      pieces: this.#pieces.texts,
      turns: this.#turns,
      items: this.#items.texts.map((text) => JSON.parse(text) as ItemText),
      lessons: this.#lessons.texts.map((id) => ({ id, text: this.lessons?.textOf(id as Digest) ?? null })),
    };
  }

  #place(item: ItemText): number {
    return this.#items.place(JSON.stringify(item));
  }
}
