import type { FixtureOutline } from '../../fixture/fixture.js';
import type { RunLessons } from '../run-lessons.js';
import type { LessonsResult } from './lessons-result.js';
import type { SummaryRow } from './summary-row.js';

/** Which questions of a run its lessons were learnt from: what an arm gains there is no evidence that it gains elsewhere (LE-6). */
export class InSample {
  readonly #byFixture: ReadonlyMap<string, ReadonlySet<string>>;

  /** @param selected the questions that are asked, by fixture. */
  constructor(
    private readonly lessons: RunLessons,
    fixtures: readonly FixtureOutline[],
    selected: ReadonlyMap<string, readonly string[]>,
  ) {
    this.#byFixture = new Map(
      fixtures.map(({ manifest: { id }, corpus }) => {
        const learntFrom = lessons.learntFrom(corpus);
        return [id, new Set((selected.get(id) ?? []).filter((question) => learntFrom.has(question)))];
      }),
    );
  }

  has({ fixture, question }: Pick<SummaryRow, 'fixture' | 'question'>): boolean {
    return this.#byFixture.get(fixture)?.has(question) === true;
  }

  get result(): Omit<LessonsResult, 'pairs'> {
    const { digest, count, of_unknown_origin } = this.lessons;
    const in_sample = [...this.#byFixture].map(([fixture, questions]) => ({ fixture, questions: [...questions] }));
    return {
      projection: digest,
      lessons: count,
      of_unknown_origin,
      calibrated: false,
      in_sample: in_sample.filter(({ questions }) => questions.length > 0),
    };
  }
}
