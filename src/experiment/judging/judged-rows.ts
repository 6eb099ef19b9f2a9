import { judgeOf } from '../../scoring/scoring.js';
import { jsonAmount, sumKnown } from '../summary/amounts.js';
import type { SummaryRow } from '../summary/summary-row.js';
import type { JudgedRows } from './judging-report.js';

/** An arm's rows by judge: from the rows alone, so that a resumed run says the same. */
export function judgedRows(rows: readonly SummaryRow[], scoring: readonly string[]): { [judge: string]: JudgedRows } {
  const judges = scoring.map(judgeOf).filter((judge) => judge !== null);
  return Object.fromEntries(judges.map((judge) => [judge, rowsOf(rows, judge)]));
}

function rowsOf(rows: readonly SummaryRow[], judge: string): JudgedRows {
  const judgements = rows.flatMap((row) => {
    const judgement = row.judgements[judge];
    return judgement === undefined ? [] : [{ ...judgement, score: row.scores[`judge:${judge}`] ?? null }];
  });
  const by = (kind: 'judge' | 'rule' | null) => judgements.filter((judgement) => judgement.by === kind);
  const right = (some: readonly { readonly score: number | null }[]): number =>
    some.filter(({ score }) => score === 1).length;
  const cost = sumKnown(by('judge').map(({ nano_usd }) => (nano_usd === null ? null : BigInt(nano_usd))));
  return {
    judged: by('judge').length,
    correct: right(by('judge')),
    by_rule: by('rule').length,
    correct_by_rule: right(by('rule')),
    unjudged: by(null).length,
    attributed_nano_usd: cost === null ? null : jsonAmount(cost),
  };
}
