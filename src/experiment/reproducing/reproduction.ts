import type { Digest } from '../../core/digest.js';
import type { Observation } from '../asking/observation.js';
import type { Compared, RowDifference } from '../reproduction-document.js';
import { retrievalDigest } from './retrieval-digest.js';

/** What is known of one question's past. */
export interface PastRow {
  readonly question: string;
  readonly repeat: number;
  readonly retrieval: Digest;
  /** Null where no context was assembled. */
  readonly context: Digest | null;
  /** The whole row, where a run is there; null where only digests are. */
  readonly row: Observation | null;
}

/** What a comparison of rows gave. */
export interface RowComparison {
  readonly retrieval: Compared;
  readonly context: Compared;
  readonly answers: Compared;
  readonly differences: readonly RowDifference[];
  /** Questions of the past that have no row now. */
  readonly missing: number;
  /** Rows that were not compared, since a reader that searches cannot be asked again. */
  readonly unreplayed: number;
}

/** A run's row as a past one. */
export function pastRowOf(row: Observation): PastRow {
  const { question, repeat } = row;
  return {
    question,
    repeat,
    retrieval: retrievalDigest(row),
    context: (row.context?.digest ?? null) as Digest | null,
    row,
  };
}

/**
 * Compares rows with their past, question by question, in the order of the rows (RP-1). A row that failed before it had a context is not
 * compared: it is a problem of its own.
 *
 * @param answers whether answers are comparable.
 * @param isReplayed whether a past reader's turns are those that were replayed; null where the reader read anew. A deliberate reader's row is compared
 * whole or not at all, for what it finds is what it asks (RT-8); of any other row all but the answer is.
 */
export function compareRows(
  past: readonly PastRow[],
  rows: readonly Observation[],
  answers: boolean,
  isReplayed: ((row: Observation) => boolean) | null = null,
): RowComparison {
  const before = new Map(past.map((row) => [keyOf(row), row]));
  const tally = { retrieval: new Tally('retrieval'), context: new Tally('context'), answers: new Tally('answer') };
  const differences: RowDifference[] = [];
  let met = 0;
  let unreplayed = 0;
  for (const row of rows) {
    const expected = before.get(keyOf(row));
    if (expected === undefined) continue;
    met += 1;
    const found = pastRowOf(row);
    if (found.context === null) continue;
    const replayed = expected.row === null || isReplayed === null || isReplayed(expected.row);
    if (row.recall === 'deliberate' && !replayed) {
      unreplayed += 1;
      continue;
    }
    const pairs = [
      tally.retrieval.compare(row, [expected.retrieval, found.retrieval], retrievalTexts(expected, found)),
      expected.context === null
        ? null
        : tally.context.compare(row, [expected.context, found.context], [expected.context, found.context]),
      answers && replayed ? compareAnswers(tally.answers, expected.row, row) : null,
    ];
    differences.push(...pairs.filter((pair) => pair !== null));
  }
  return {
    retrieval: tally.retrieval.result,
    context: tally.context.result,
    answers: tally.answers.result,
    differences,
    missing: past.length - met,
    unreplayed,
  };
}

class Tally {
  #compared = 0;
  #equal = 0;

  constructor(private readonly field: RowDifference['field']) {}

  get result(): Compared {
    return { compared: this.#compared, equal: this.#equal };
  }

  compare(
    { question, repeat }: Observation,
    [before, now]: readonly [string, string],
    [expected, found]: readonly [string, string],
  ): RowDifference | null {
    this.#compared += 1;
    if (before !== now) return { question, repeat, field: this.field, expected, found };
    this.#equal += 1;
    return null;
  }
}

function compareAnswers(tally: Tally, expected: Observation | null, row: Observation): RowDifference | null {
  if (expected?.outcome.kind !== 'answered' || row.outcome.kind !== 'answered') return null;
  const [before, now] = [answerText(expected), answerText(row)];
  return tally.compare(row, [before, now], [before, now]);
}

function answerText({ abstained, answer }: Observation): string {
  return abstained === true ? '(abstains)' : JSON.stringify(answer);
}

/** The first rank at which two retrievals differ; where only a digest is known of the past, the digests. */
function retrievalTexts(expected: PastRow, found: PastRow): [string, string] {
  if (expected.row === null || found.row === null) return [expected.retrieval, found.retrieval];
  const { row: before } = expected;
  const { row: now } = found;
  if (before.effective_strategy !== now.effective_strategy || before.lookup_miss !== now.lookup_miss)
    return [effective(before), effective(now)];
  const longest = Math.max(before.retrieved.length, now.retrieved.length);
  for (let index = 0; index < longest; index += 1) {
    const [left, right] = [itemText(before, index), itemText(now, index)];
    if (left !== right) return [`rank ${index + 1}: ${left}`, `rank ${index + 1}: ${right}`];
  }
  return [expected.retrieval, found.retrieval];
}

function effective({ effective_strategy, lookup_miss }: Observation): string {
  return `${effective_strategy}${lookup_miss === null ? '' : ` (${lookup_miss})`}`;
}

function itemText({ retrieved }: Observation, index: number): string {
  const item = retrieved[index];
  return item === undefined ? 'nothing' : `${item.id} from ${item.sources.join(', ')}`;
}

function keyOf({ question, repeat }: Pick<Observation, 'question' | 'repeat'>): string {
  return JSON.stringify([question, repeat]);
}
