import { describe, expect, it } from 'vitest';
import { failedRow, SAMPLE_CAUSE, sampleRow } from '../../../test/support/observation-samples.js';
import { type ArmFacts, summariseArm } from './summarise.js';

const SCORERS = ['token-f1'];
const facts: ArmFacts = {
  arm: 'bm25',
  status: 'complete',
  reason: null,
  reference: false,
  recall: 'automatic',
  oracle: false,
  aa_of: null,
  unit: 'beliefs',
  parity: 'equal',
  replayed_calls: 12,
  questions: 4,
  actual_nano_usd: 0n,
  uncertain_nano_usd: 0n,
  miss_scorer: 'token-f1',
  sample: null,
  replicates: 1,
  primary: 'token-f1',
  intervals: { alpha: 0.05, datasetOf: () => 'made up' },
};
const scored = (score: number | null, changes = {}) => sampleRow({ scores: { 'token-f1': score }, ...changes });

describe('OB-4 the means of an arm', () => {
  it('OB-4 a failure of its own making counts as zero in the one mean, and not in the other', () => {
    const { scores, score_details, failed, lost, answered } = summariseArm(
      facts,
      [scored(1), scored(0.5), failedRow(true)],
      SCORERS,
    );
    expect(scores['token-f1']).toBe(0.5);
    expect(score_details['token-f1']).toMatchObject({ mean: 0.5, mean_without_failures: 0.75, n: 3, failed: 1 });
    expect({ failed, lost, answered }).toEqual({ failed: 1, lost: 0, answered: 2 });
  });

  it('OB-4 a row that the provider or the budget lost is in no mean, and is counted apart', () => {
    const refused = failedRow(false, {
      outcome: { kind: 'refused', cause: { ...SAMPLE_CAUSE, stage: 'budget' } },
    });
    const { score_details, failed, lost } = summariseArm(facts, [scored(0.5), failedRow(false), refused], SCORERS);
    expect(score_details['token-f1']).toMatchObject({ mean: 0.5, mean_without_failures: 0.5, n: 1, failed: 0 });
    expect({ failed, lost }).toEqual({ failed: 0, lost: 2 });
  });

  it('OB-6 a score that does not apply leaves the denominator, for failed rows too; none at all is null', () => {
    const notApplicable = scored(null, { applicable: [] });
    const failedElsewhere = failedRow(true, { applicable: [] });
    const summary = summariseArm(facts, [scored(1), notApplicable, failedElsewhere], SCORERS);
    expect(summary.score_details['token-f1']).toMatchObject({ mean: 1, n: 1, failed: 0 });
    expect(summariseArm(facts, [notApplicable], SCORERS).scores['token-f1']).toBeNull();
  });

  it('FB-18 RP-3 each question is averaged over its repeats and replicates first, and then weighs as any other', () => {
    const often = [0.2, 0.4, 0.6, 0.8].map((score, index) =>
      scored(score, { question: 'q2', repeat: 1 + (index % 2), replicate: 1 + Math.floor(index / 2) }),
    );
    const { score_details } = summariseArm(facts, [scored(1), ...often], SCORERS);
    expect(score_details['token-f1']).toMatchObject({ mean: 0.75, n: 5, questions: 2 });
    const ofAnother = scored(0, { fixture: 'hill' });
    expect(summariseArm(facts, [scored(1), ofAnother], SCORERS).score_details['token-f1']).toMatchObject({
      questions: 2,
    });
  });

  it('RP-3 FB-18 a replicate that lost a repeat weighs as much as another, as in pairs', () => {
    const rows = [
      scored(1, { replicate: 1, repeat: 1 }),
      scored(0, { replicate: 1, repeat: 2 }),
      scored(1, { replicate: 2, repeat: 1 }),
    ];
    expect(summariseArm(facts, rows, SCORERS).scores['token-f1']).toBe(0.75);
  });

  it('OB-6 categories have means of their own', () => {
    const rows = [scored(1), scored(0, { category: 'temporal' }), failedRow(true, { category: 'temporal' })];
    const { by_category } = summariseArm(facts, rows, SCORERS);
    expect(Object.keys(by_category)).toEqual(['single-hop', 'temporal']);
    expect(by_category.temporal?.['token-f1']).toMatchObject({ mean: 0, n: 2 });
  });
});

describe('OB-2 costs and context of an arm', () => {
  const attributed = (nanoUsd: number | null) => ({ attributed: { ...sampleRow().attributed, nano_usd: nanoUsd } });

  it('OB-2 one row without a price leaves the arm without one: null, never 0', () => {
    expect(summariseArm(facts, [sampleRow(attributed(3)), sampleRow(attributed(4))], SCORERS)).toMatchObject({
      attributed_nano_usd: 7,
    });
    expect(summariseArm(facts, [sampleRow(attributed(3)), sampleRow(attributed(null))], SCORERS)).toMatchObject({
      attributed_nano_usd: null,
    });
    expect(summariseArm(facts, [], SCORERS).attributed_nano_usd).toBeNull();
  });

  it('SQ-1 one missed lookup marks the arm degraded; an explicit `off` does not', () => {
    const missed = summariseArm(facts, [sampleRow(), sampleRow({ lookup_miss: 'expired' })], SCORERS);
    expect(missed.degraded).toBe(true);
    expect(summariseArm(facts, [sampleRow({ lookup_miss: 'off' })], SCORERS).degraded).toBe(false);
  });

  it('RT-4 context tokens: nearest-rank percentiles and the mean, over the rows that have a context', () => {
    const rows = [40, 10, 30, 20].map((tokens) =>
      sampleRow({ context: { tokens, digest: sampleRow().corpus as `sha256:${string}`, included: [], left_out: [] } }),
    );
    const { context_tokens } = summariseArm(facts, [...rows, sampleRow({ context: null })], SCORERS);
    expect(context_tokens).toEqual({ p50: 20, p95: 40, mean: 25 });
    expect(summariseArm(facts, [], SCORERS).context_tokens).toEqual({ p50: null, p95: null, mean: null });
  });
});
