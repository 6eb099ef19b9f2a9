import { RecallMatrixError } from '../../core/errors.js';
import { meanOf } from './mean.js';

/** One row's score under one arm. */
export interface Score {
  readonly conversation: string;
  /** Unique within its conversation. */
  readonly question: string;
  readonly replicate: number;
  readonly repeat: number;
  /** Null where it may not count, such as a row lost to the provider. */
  readonly score: number | null;
}

/** One question's mean score under two arms. */
export interface PairedDifference {
  readonly conversation: string;
  readonly question: string;
  readonly base: number;
  readonly head: number;
  /** head - base. */
  readonly difference: number;
}

/** What two arms' scores have in common, in the order of conversation and question by code units, and what was left out. */
export interface PairedDifferences {
  readonly pairs: readonly PairedDifference[];
  /** Questions that only one of the two has a score for. They are in no pair. */
  readonly only_base: number;
  readonly only_head: number;
}

/**
 * The differences of two arms, paired by question (RP-3): d = h̄ - b̄, where each mean is taken over a replicate's repeats first, and then
 * over replicates, so that a question counts once however often it was asked, and a replicate with more repeats weighs no more than another.
 *
 * Scores of one dataset alone: datasets are never pooled.
 *
 * @throws {RecallMatrixError} `SCORE_TWICE` where an arm has two scores of one question, replicate and repeat; `SCORE_NOT_FINITE`.
 */
export function pairedDifferences(base: readonly Score[], head: readonly Score[]): PairedDifferences {
  const [baseMeans, headMeans] = [questionMeans(base), questionMeans(head)];
  const pairs = [...baseMeans].flatMap(([key, { conversation, question, mean }]) => {
    const other = headMeans.get(key);
    if (other === undefined) return [];
    return [{ conversation, question, base: mean, head: other.mean, difference: other.mean - mean }];
  });
  return {
    pairs: pairs.sort(byPlace),
    only_base: baseMeans.size - pairs.length,
    only_head: headMeans.size - pairs.length,
  };
}

interface QuestionMean {
  readonly conversation: string;
  readonly question: string;
  readonly mean: number;
}

function questionMeans(scores: readonly Score[]): Map<string, QuestionMean> {
  const questions = new Map<string, { conversation: string; question: string; replicates: Map<number, Repeats> }>();
  for (const { conversation, question, replicate, repeat, score } of scores) {
    if (score === null) continue;
    const key = JSON.stringify([conversation, question]);
    if (!Number.isFinite(score)) throw fault('SCORE_NOT_FINITE', `the score of ${key} is ${score}`);
    const found = questions.get(key) ?? { conversation, question, replicates: new Map<number, Repeats>() };
    questions.set(key, found);
    const repeats = found.replicates.get(replicate) ?? new Map<number, number>();
    found.replicates.set(replicate, repeats);
    if (repeats.has(repeat))
      throw fault('SCORE_TWICE', `${key} has two scores in replicate ${replicate}, repeat ${repeat}`);
    repeats.set(repeat, score);
  }
  return new Map(
    [...questions].map(([key, { conversation, question, replicates }]) => [
      key,
      {
        conversation,
        question,
        mean: meanOf([...replicates.values()].map((repeats) => meanOf([...repeats.values()]))),
      },
    ]),
  );
}

type Repeats = Map<number, number>;

function byPlace(one: PairedDifference, other: PairedDifference): number {
  if (one.conversation !== other.conversation) return one.conversation < other.conversation ? -1 : 1;
  return one.question < other.question ? -1 : one.question > other.question ? 1 : 0;
}

function fault(code: string, message: string): RecallMatrixError {
  return new RecallMatrixError({ kind: 'internal', code, message });
}
