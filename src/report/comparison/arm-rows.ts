import type { Observation } from '../../experiment/experiment.js';
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
  /** By scorer, in their order: as it counts, an own failure as 0; null where it applies to none, `lost` where what should have scored an answer did not. */
  readonly counted: readonly (number | null | 'lost')[];
}

/** What a cell should have had, and never came to. */
interface UnmadeCell {
  readonly conversation: string;
  readonly questions: number;
  readonly repeats: number;
}

/** The rows of one arm, of one dataset, as they are compared. */
export class ArmRows {
  readonly #rows: KeptRow[] = [];
  readonly #unmade: UnmadeCell[] = [];

  constructor(private readonly scorers: readonly string[]) {}

  add(row: KeptRow): void {
    this.#rows.push(row);
  }

  addUnmade(cell: UnmadeCell): void {
    this.#unmade.push(cell);
  }

  /** Without some questions: what is in no mean of a pair has to leave both arms. */
  without(questions: QuestionSets): ArmRows {
    if (questions.size === 0) return this;
    const kept = new ArmRows(this.scorers);
    for (const row of this.#rows) if (!isIn(questions, row)) kept.add(row);
    for (const cell of this.#unmade) {
      const left_out = questions.get(cell.conversation)?.size ?? 0;
      kept.addUnmade({ ...cell, questions: Math.max(0, cell.questions - left_out) });
    }
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
    return this.#rows.map(({ conversation, question, replicate, repeat, fate, counted }) => {
      const score = counted[index] ?? null;
      const isOut = score === 'lost' || (fate === 'failed' && failures === 'left-out');
      return { conversation, question, replicate, repeat, score: isOut ? null : score };
    });
  }

  /** Rows that were never made count as lost, and so do answers that a judge did not come to: nothing is known of either. */
  counts(scorer: string): RowCounts {
    const index = this.scorers.indexOf(scorer);
    const unmade = this.#unmade.reduce((sum, { questions, repeats }) => sum + questions * repeats, 0);
    const failed = this.#rows.filter(({ fate }) => fate === 'failed').length;
    const lost = this.#rows.filter(({ fate, counted }) => fate === 'lost' || counted[index] === 'lost').length;
    const rows = this.#rows.length;
    return { rows: rows + unmade, answered: rows - failed - lost, failed, lost: lost + unmade };
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
  const questions = new Map(record.manifest.fixtures.map((facts) => [facts.id, facts.questions]));
  const { repeats } = record.matrix.load;
  for await (const { arm, fixture, rows, is_finished } of record.cells()) {
    const own = datasets.get(datasetOf.get(fixture) as string)?.get(arm);
    if (own === undefined) continue;
    if (!is_finished) own.addUnmade({ conversation: fixture, questions: questions.get(fixture) as number, repeats });
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
        counted: scorers.map((scorer) => countedScore(row, scorer) ?? (isUnscored(row, scorer) ? 'lost' : null)),
      });
    }
  }
  return datasets;
}

function isUnscored({ outcome, applicable, scores }: Observation, scorer: string): boolean {
  return outcome.kind === 'answered' && applicable.includes(scorer) && typeof scores[scorer] !== 'number';
}
