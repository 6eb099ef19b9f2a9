import { describe, expect, it } from 'vitest';
import { failedRow, sampleRow } from '../../../test/support/observation-samples.js';
import { betweenBanks } from './between-banks.js';
import type { SummaryRow } from './summary-row.js';

/** Rows of a fixture: a line a question, a number a replicate. */
const rows = (fixture: string, table: readonly (readonly number[])[]): SummaryRow[] =>
  table.flatMap((scores, question) =>
    scores.map((score, bank) =>
      sampleRow({ fixture, question: `q${question}`, replicate: bank + 1, scores: { 'token-f1': score } }),
    ),
  );

const HARBOUR = rows('harbour', [
  [1, 0.8],
  [0.6, 0.2],
  [0.5, 0.2],
]);

describe('FB-18 the component between banks', () => {
  it('FB-18 by hand: three questions under two banks', () => {
    // Bank means 0.7 and 0.4, question means 0.9, 0.4 and 0.35, all together 0.55.
    // SSB = 3 · (0.15² + 0.15²) = 0.135 on 1; the residuals are ±0.05 four times and 0 twice, so SSE = 0.01 on 2.
    const found = betweenBanks(HARBOUR, 'token-f1', 2);
    expect(found).toMatchObject({ scorer: 'token-f1', replicates: 2, questions: 3 });
    expect(found?.means.map((mean) => mean?.toFixed(9))).toEqual(['0.700000000', '0.400000000']);
    expect(found?.between_mean_square).toBeCloseTo(0.135, 12);
    expect(found?.residual_mean_square).toBeCloseTo(0.005, 12);
    expect(found?.estimate).toBeCloseTo((0.135 - 0.005) / 3, 12);
    expect(found?.component).toBe(found?.estimate);
  });

  it('FB-18 banks are compared within their fixture: what fixtures and questions differ by is no part of it', () => {
    const hill = rows('hill', [[0, 0]]);
    // SSB of the second is 0: MSB = 0.135 / 2; MSE stays; two questions a fixture on average.
    expect(betweenBanks([...HARBOUR, ...hill], 'token-f1', 2)?.estimate).toBeCloseTo((0.0675 - 0.005) / 2, 12);
    const easier = rows('harbour', [
      [0.5, 0.3],
      [0.9, 0.5],
      [0.5, 0.2],
    ]);
    expect(betweenBanks(easier, 'token-f1', 2)?.estimate).toBeCloseTo((0.135 - 0.005) / 3, 12);
  });

  it('FB-18 an estimate below 0 is given, and its component is 0', () => {
    const crossed = rows('harbour', [
      [1, 0],
      [0, 1],
    ]);
    expect(betweenBanks(crossed, 'token-f1', 2)).toMatchObject({ estimate: -0.5, component: 0 });
  });

  it('FB-18 repeats are averaged before; an own failure is 0; a question that a bank lost is left out', () => {
    const repeated = HARBOUR.flatMap((row) => [
      { ...row, repeat: 1, scores: { 'token-f1': (row.scores['token-f1'] as number) + 0.1 } },
      { ...row, repeat: 2, scores: { 'token-f1': (row.scores['token-f1'] as number) - 0.1 } },
    ]);
    expect(betweenBanks(repeated, 'token-f1', 2)?.estimate).toBeCloseTo((0.135 - 0.005) / 3, 12);
    const failed = [...HARBOUR, sampleRow({ question: 'q9' }), failedRow(true, { question: 'q9', replicate: 2 })];
    expect(betweenBanks(failed, 'token-f1', 2)).toMatchObject({ questions: 4, means: [0.775, expect.closeTo(0.3)] });
    const lost = [...HARBOUR, sampleRow({ question: 'q9' }), failedRow(false, { question: 'q9', replicate: 2 })];
    expect(betweenBanks(lost, 'token-f1', 2)).toEqual(betweenBanks(HARBOUR, 'token-f1', 2));
  });

  it('FB-18 null where there is one bank, where a bank was not reached, and where one question tells nothing', () => {
    expect(betweenBanks(HARBOUR, 'token-f1', 1)).toBeNull();
    expect(betweenBanks(HARBOUR, 'token-f1', 3)).toMatchObject({
      questions: 0,
      means: [null, null, null],
      component: null,
    });
    expect(betweenBanks(rows('harbour', [[1, 0]]), 'token-f1', 2)).toMatchObject({ means: [1, 0], component: null });
  });
});
