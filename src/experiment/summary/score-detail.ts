import {
  countedScore,
  grouped,
  isOwnFailure,
  meanOf,
  meanOverQuestions,
  questionKey,
  questionMean,
} from '../asking/row-score.js';
import type { ScoreDetail } from '../experiment.js';
import { type IntervalRule, scoreInterval } from './score-interval.js';
import type { SummaryRow } from './summary-row.js';

/** What some rows score, by scorer: the means of OB-4, and the first one's interval. */
export function scoreDetails(
  rows: readonly SummaryRow[],
  scorers: readonly string[],
  rule: IntervalRule,
): { [scorer: string]: ScoreDetail } {
  return Object.fromEntries(scorers.map((name) => [name, scoreDetail(rows, name, rule)]));
}

function scoreDetail(rows: readonly SummaryRow[], scorer: string, rule: IntervalRule): ScoreDetail {
  const counted = rows.flatMap((row) => {
    const score = countedScore(row, scorer);
    if (score === null) return [];
    const { fixture, replicate } = row;
    return [{ fixture, question: questionKey(row), replicate, score, isFailure: isOwnFailure(row) }];
  });
  const means = grouped(counted, ({ question }) => question).map((own) => ({
    conversation: own[0]?.fixture as string,
    score: questionMean(own),
  }));
  return {
    mean: meanOf(means.map(({ score }) => score)),
    mean_without_failures: meanOverQuestions(counted.filter(({ isFailure }) => !isFailure)),
    n: counted.length,
    questions: means.length,
    failed: counted.filter(({ isFailure }) => isFailure).length,
    ...scoreInterval(means, rule),
  };
}
