import { expect, it } from 'vitest';
import { SAMPLE_DIGEST } from '../../../test/support/observation-samples.js';
import type { JudgeResult, JudgingResult } from '../../experiment/experiment.js';
import { showJudging } from './judging-table.js';

const judged = { judged: 8, correct: 6, by_rule: 2, correct_by_rule: 1, unjudged: 0, attributed_nano_usd: 4000 };
const share = { estimate: 0.8, lo: 0.6, hi: 1, n: 10, clamped: true, reason: null };

function judge(name: string, changes: Partial<JudgeResult> = {}): JudgeResult {
  return {
    judge: name,
    provider: 'remote',
    model: 'm-1',
    prompt: { name: 'correctness', digest: SAMPLE_DIGEST },
    repeats: 3,
    items: 8,
    verdicts: 24,
    unanimous: 6,
    agreement: 0.9167,
    attributed_nano_usd: 12_000,
    reported_models: [],
    labels: null,
    arms: [{ ...judged, arm: 'bm25', mean: 0.7, rank: 1, corrected: null }],
    ...changes,
  };
}
const estimate = { estimate: 0.9, lo: 0.75, hi: 0.97, n: 30 };
const labels: JudgeResult['labels'] = {
  lines: 64,
  n: 60,
  left_out: { stale: 1, tied: 2, unjudged: 0 },
  confusion: { both_correct: 27, judge_only: 3, human_only: 3, both_incorrect: 27 },
  sensitivity: estimate,
  specificity: { ...estimate, estimate: 0.8 },
  kappa: { ...estimate, estimate: 0.7, n: 60 },
};
const result = (judges: JudgeResult[], changes: Partial<JudgingResult> = {}): JudgingResult => ({
  alpha: 0.05,
  judges,
  actual_nano_usd: 0,
  uncertain_nano_usd: 0,
  rank_changes: [],
  ...changes,
});

it('OB-7 shows each judge with its items, verdicts and agreement, and that its bias is unknown without labels', () => {
  const text = showJudging(result([judge('plain')]));
  expect(text).toMatch(/^plain +m-1 +correctness +8 +24 +0\.917 +0 .* none: bias unknown +– +– +–$/m);
  expect(text).not.toContain('corrected');
  expect(showJudging(null)).toBe('');
});

it('OB-7 shows sensitivity, specificity and kappa with interval and n, and each arm as corrected, cut where it was', () => {
  const arms = [{ ...judged, arm: 'bm25', mean: 0.7, rank: 1, corrected: share }];
  const text = showJudging(result([judge('plain', { labels, arms })]));
  expect(text).toContain('0.900 [0.750, 0.970] n=30');
  expect(text).toContain('60 (left out: 1 stale, 2 tied)');
  expect(text).toMatch(/^bm25 +0\.700 +0\.800 \^ +\[0\.600, 1\.000\]$/m);
  expect(text).toContain('^ cut at 0 or 1.');
  expect(text).toContain('95 % intervals');
  const none = { ...share, estimate: null, lo: null, hi: null, reason: 'no use' };
  expect(
    showJudging(
      result([judge('plain', { labels, arms: [{ ...judged, arm: 'a', mean: 0.7, rank: 1, corrected: none }] })]),
    ),
  ).toContain('No correction: no use.');
});

it('OB-7 flags rank changes between judges, and says where there is none', () => {
  const two = [judge('plain'), judge('strict')];
  expect(showJudging(result(two))).toContain('no two arms in opposite orders');
  expect(showJudging(result(two, { rank_changes: [{ judges: ['plain', 'strict'], arms: ['a', 'b'] }] }))).toContain(
    'Ranks change: plain has a ahead of b, strict the reverse.',
  );
});
