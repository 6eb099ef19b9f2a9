import { countedScore, isOwnFailure, type RunRecord } from '../../experiment/run-record.js';
import type { Score } from '../statistics/statistics.js';
import type { RowCounts } from './comparison.js';

/** Questions by conversation. */
export type QuestionSets = ReadonlyMap<string, ReadonlySet<string>>;

/** What is kept of a row: numbers, and which row it was. */
interface KeptRow {
  readonly conversation: string;
  readonly question: string;
  readonly replicate: number;
  readonly repeat: number;
  readonly fate: 'answered' | 'failed' | 'lost';
  /** By scorer, in their order: as it counts, an own failure as 0; null in no mean. */
  readonly counted: readonly (number | null)[];
}

/** The rows of one arm, of one dataset, as they are compared. */
export class ArmRows {
  readonly #rows: KeptRow[] = [];

  constructor(private readonly scorers: readonly string[]) {}

  add(row: KeptRow): void {
    this.#rows.push(row);
  }

  /** Without some questions: what is in no mean of a pair has to leave both arms. */
  without(questions: QuestionSets): ArmRows {
    if (questions.size === 0) return this;
    const kept = new ArmRows(this.scorers);
    for (const row of this.#rows) if (!isIn(questions, row)) kept.add(row);
    return kept;
  }

  /** Keys of those of some questions that have a row, each once. */
  keysOf(questions: QuestionSets): string[] {
    return this.#rows
      .filter((row) => isIn(questions, row))
      .map(({ conversation, question }) => JSON.stringify([conversation, question]));
  }

  /** Of OB-4's two means: failures of the arm's own making as 0, or left out. Lost rows are in neither. */
  scores(scorer: string, failures: 'as-zero' | 'left-out'): Score[] {
    const index = this.scorers.indexOf(scorer);
    return this.#rows.map(({ conversation, question, replicate, repeat, fate, counted }) => ({
      conversation,
      question,
      replicate,
      repeat,
      score: fate === 'failed' && failures === 'left-out' ? null : (counted[index] ?? null),
    }));
  }

  get counts(): RowCounts {
    const of = (fate: KeptRow['fate']): number => this.#rows.filter((row) => row.fate === fate).length;
    return { rows: this.#rows.length, answered: of('answered'), failed: of('failed'), lost: of('lost') };
  }
}

function isIn(questions: QuestionSets, { conversation, question }: KeptRow): boolean {
  return questions.get(conversation)?.has(question) === true;
}

/** By dataset and arm. */
export type RowsOfRun = ReadonlyMap<string, ReadonlyMap<string, ArmRows>>;

/**
 * Reads the rows of some arms in one pass, one cell at a time; some numbers are kept of each row, and no text (PF-5).
 *
 * @param datasetOf by fixture.
 */
export async function readArmRows(
  record: RunRecord,
  arms: ReadonlySet<string>,
  scorers: readonly string[],
  datasetOf: ReadonlyMap<string, string>,
): Promise<RowsOfRun> {
  const datasets = new Map<string, Map<string, ArmRows>>();
  for (const dataset of new Set(datasetOf.values()))
    datasets.set(dataset, new Map([...arms].map((arm) => [arm, new ArmRows(scorers)])));
  for await (const { arm, fixture, rows } of record.cells()) {
    const own = datasets.get(datasetOf.get(fixture) as string)?.get(arm);
    if (own === undefined) continue;
    // One text for all arms and repeats of a question, in the place of one a row.
    const known = new Map<string, string>();
    for (const row of rows) {
      const question = known.get(row.question) ?? row.question;
      known.set(question, question);
      own.add({
        conversation: fixture,
        question,
        replicate: row.replicate,
        repeat: row.repeat,
        fate: row.outcome.kind === 'answered' ? 'answered' : isOwnFailure(row) ? 'failed' : 'lost',
        counted: scorers.map((scorer) => countedScore(row, scorer)),
      });
    }
  }
  return datasets;
}
