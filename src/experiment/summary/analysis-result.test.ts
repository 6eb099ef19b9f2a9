import { expect, test } from 'vitest';
import { loadText, SOUND } from '../../../test/support/sound-matrix.js';
import { analysisResult } from './analysis-result.js';

test('MX-8 what the plan does not name is exploratory: other scorers, and arms of no contrast', async () => {
  const { matrix } = await loadText(
    `${SOUND}  - { name: recency, retrieval: { strategy: recency } }
scoring: [exact-match, token-f1, evidence-recall@5]
analysis: { primary: token-f1, contrasts: [[bm25, none]], alpha: 0.1 }
`,
  );
  expect(analysisResult(matrix)).toEqual({
    primary: 'token-f1',
    contrasts: [['bm25', 'none']],
    alpha: 0.1,
    power: 0.8,
    margin: 0.02,
    exploratory: { scorers: ['exact-match', 'evidence-recall@5'], arms: ['recency'] },
  });
});

test('MX-8 without a contrast every pair is exploratory', async () => {
  const { matrix } = await loadText(SOUND);
  expect(analysisResult(matrix).exploratory.arms).toEqual(['bm25', 'none']);
});
