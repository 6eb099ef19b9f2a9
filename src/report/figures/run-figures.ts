import { type RunRecord, recordedSample } from '../../experiment/run-record.js';
import type { Label } from '../../fixture/label.js';
import { ArmTally, type FigureSettings } from './arm-figures.js';
import type { DatasetFigures } from './figures.js';

/** What a run's rows are called that do not say of what dataset they are: those of earlier versions. */
export const DATASET_NOT_STATED = 'not stated';

/** The figures of a run, dataset by dataset in the order of its fixtures: one pass over its rows, of which one cell's are held at a time (PF-5). */
export async function runFigures(record: RunRecord): Promise<DatasetFigures[]> {
  const settings = settingsOf(record);
  const datasets = new Map<string, DatasetTally>();
  const ofFixture = new Map<string, DatasetTally>();
  for (const { id, dataset } of record.manifest.fixtures) {
    const name = dataset ?? DATASET_NOT_STATED;
    const tally = datasets.get(name) ?? new DatasetTally(name, record, settings);
    datasets.set(name, tally);
    tally.conversations.push(id);
    ofFixture.set(id, tally);
  }
  // Cells come fixture after fixture: what ends one is the next.
  let current: string | null = null;
  let labels: ReadonlyMap<string, Label> | null = null;
  const close = (fixture: string | null): void => {
    if (fixture !== null) ofFixture.get(fixture)?.close(fixture);
  };
  for await (const { fixture, arm, rows } of record.cells()) {
    const tally = ofFixture.get(fixture);
    if (tally === undefined) continue;
    if (current !== fixture) {
      close(current);
      current = fixture;
      labels = await tally.labels(fixture);
    }
    for (const row of rows) tally.arms.get(arm)?.add(row, labels?.get(row.question) ?? null);
  }
  close(current);
  return [...datasets.values()].map((tally) => tally.figures());
}

function settingsOf({ result, matrix }: RunRecord): FigureSettings {
  const learntFrom = recordedSample(result);
  return {
    scorers: matrix.scoring,
    primary: matrix.analysis.primary,
    alpha: matrix.analysis.alpha,
    miss_scorer: result.arms[0]?.misses.scorer ?? null,
    isInSample: (fixture, question) => learntFrom?.has({ fixture, question }) === true,
  };
}

/** The rows of one dataset. */
class DatasetTally {
  readonly conversations: string[] = [];
  readonly arms: ReadonlyMap<string, ArmTally>;
  readonly #without: { conversation: string; why: string }[] = [];

  constructor(
    private readonly name: string,
    private readonly record: RunRecord,
    settings: FigureSettings,
  ) {
    this.arms = new Map(record.matrix.arms.map((arm) => [arm.name, new ArmTally(arm, settings)]));
  }

  /** Null where they cannot be read any more. */
  async labels(conversation: string): Promise<ReadonlyMap<string, Label> | null> {
    const fixture = await this.record.fixture(conversation);
    if (!('missing' in fixture)) return fixture.labels;
    this.#without.push({ conversation, why: fixture.missing });
    return null;
  }

  close(conversation: string): void {
    for (const arm of this.arms.values()) arm.close(conversation);
  }

  figures(): DatasetFigures {
    const arms = [...this.arms.values()];
    const shape = {
      conversations: this.conversations,
      categories: [...new Set(arms.flatMap(({ categories }) => [...categories]))].sort(),
    };
    const { manifest, matrix } = this.record;
    const questions = manifest.fixtures
      .filter(({ id }) => this.conversations.includes(id))
      .reduce((sum, fixture) => sum + fixture.questions, 0);
    const expected = questions * matrix.load.repeats * (matrix.formation?.replicates ?? 1);
    return {
      dataset: this.name,
      ...shape,
      without_labels: this.#without,
      arms: arms.map((arm) => arm.figures(shape, expected)),
    };
  }
}
