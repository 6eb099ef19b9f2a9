import { describe, expect, it } from 'vitest';
import { type RecordedRunDescription, type RowValue, writeRecordedRun } from '../../../../test/support/recorded-run.js';
import type { ArmResult, RunResult } from '../../../experiment/experiment.js';
import { openRunRecord } from '../../../experiment/reading/open-run-record.js';
import { runFigures } from '../../figures/run-figures.js';
import { compareArms } from '../compare.js';
import { runLimits } from './run-limits.js';
import { type RunVerdict, runVerdict } from './run-verdict.js';

const SIX = Array.from({ length: 6 }, (_, index) => ({ id: `c${index + 1}`, questions: 8 }));

/** Scores that vary between conversations and questions, about a mean. */
const about = (mean: number, conversation: number, index: number): number =>
  Math.round((mean + ((conversation * 7 + index * 5) % 11) / 100 - 0.05) * 1000) / 1000;

const MEANS: Readonly<Record<string, number>> = {
  bm25: 0.3,
  semantic: 0.6,
  hybrid: 0.601,
  'full-history': 0.9,
  'semantic-aa': 0.95,
};

async function verdictOf(
  description: RecordedRunDescription = {},
  change: (result: RunResult) => RunResult = (result) => result,
): Promise<RunVerdict> {
  const opened = await openRunRecord(
    await writeRecordedRun({
      arms: ['bm25', 'semantic', 'hybrid', 'full-history'],
      fixtures: SIX,
      row: ({ arm, conversation, index }): RowValue =>
        about(MEANS[arm] as number, conversation + (arm === 'hybrid' ? index : 0), index),
      ...description,
    }),
  );
  const record = { ...opened, result: change(opened.result) };
  const isPlanned = record.matrix.analysis.contrasts.length > 0;
  const comparison = isPlanned ? await compareArms(record, { allow_degraded: true }) : null;
  return runVerdict(record.result, record.matrix, await runFigures(record), comparison);
}

const changed =
  (name: string, changes: Partial<ArmResult>) =>
  (result: RunResult): RunResult => ({
    ...result,
    arms: result.arms.map((arm) => (arm.arm === name ? { ...arm, ...changes } : arm)),
  });

const planned = { primary: 'token-f1', alpha: 0.05, power: 0.8, margin: 0.02 };

describe('RP-5 the verdict of a run', () => {
  it('RT-1 RP-8 names the best of the ranked arms: references and twins, however high, stand for scale alone', async () => {
    const verdict = await verdictOf({
      arms: ['bm25', 'semantic', { name: 'semantic-aa', aa_of: 'semantic' }, 'full-history'],
      matrix: { analysis: { ...planned, contrasts: [['semantic', 'bm25']] } },
    });
    const [dataset] = verdict.datasets;
    expect(dataset).toMatchObject({ best: 'semantic', how_sure: 'told-apart', behind: ['bm25'] });
    expect(dataset?.scale).toBe('full-history 0.900: 1 reference, never ranked.');
    expect(dataset?.planned).toMatchObject([{ sentence: expect.stringContaining('semantic scored 0.300 above bm25') }]);
    expect(verdict.plan).toMatch(/^Planned before the run: token-f1, semantic against bm25\. .*exploratory/);
  });

  it('MX-8 says what could not be told apart, that nothing was planned, and that scores are given their bank', async () => {
    const verdict = await verdictOf();
    expect(verdict.datasets[0]).toMatchObject({ how_sure: 'partly', behind: ['bm25'] });
    expect(verdict.datasets[0]?.open).toMatch(/ may be as good as /);
    expect(verdict.plan).toContain('and no contrast. Every difference between arms is exploratory');
    expect(verdict.banks).toContain('given this bank');
  });

  it('FB-18 with replicates the verdict is across banks, with what differs between them', async () => {
    const verdict = await verdictOf({ replicates: 2 });
    expect(verdict.banks).toMatch(/^Every score is across 2 banks .* Standard deviation between banks: bm25 0\.000/);
  });

  it('RP-3 each dataset has a verdict of its own', async () => {
    const verdict = await verdictOf({
      fixtures: SIX.map((fixture, index) => ({ ...fixture, dataset: index < 3 ? 'one' : 'other' })),
      row: ({ arm, conversation, index }) =>
        about((arm === 'bm25') === conversation < 3 ? 0.6 : 0.2, conversation, index),
      arms: ['bm25', 'semantic'],
    });
    expect(verdict.datasets.map(({ dataset, best }) => [dataset, best])).toEqual([
      ['one', 'bm25'],
      ['other', 'semantic'],
    ]);
  });

  it.each<[string, Partial<ArmResult>, string]>([
    [
      'stopped',
      { status: 'refused', reason: 'parity changed' },
      'hybrid is refused (parity changed): it is not ranked.',
    ],
    ['degraded', { degraded: true, lookup_misses: { timeout: 3, off: 4 } }, 'hybrid is degraded: in 3 of 48 rows'],
    ['unpaired', { parity: 'unpaired' }, 'Formed beliefs of their own, without a bank: hybrid.'],
  ])('RP-2 an arm that is %s is not ranked, and the verdict says so', async (_, changes, sentence) => {
    const low = { row: ({ arm }: { arm: string }) => (arm === 'hybrid' ? 1 : 0.5) };
    const verdict = await verdictOf({ arms: ['bm25', 'hybrid'], ...low }, changed('hybrid', changes));
    expect(verdict.datasets[0]).toMatchObject({ best: 'bm25', how_sure: 'alone' });
    expect(verdict.limits.map((limit) => limit.sentence)).toContainEqual(expect.stringContaining(sentence));
  });

  it('OB-4 an arm that failed or lost some rows, and was asked all, is ranked; one that was not asked all is not', async () => {
    const row = ({ arm, conversation, index }: { arm: string; conversation: number; index: number }): RowValue =>
      arm === 'semantic' && conversation === 0 && index === 0 ? 'lost' : arm === 'semantic' ? 1 : 0.2;
    const arms = ['bm25', 'semantic'];
    expect((await verdictOf({ arms, row })).datasets[0]?.best).toBe('semantic');
    const unfinished = ({ arm, fixture }: { arm: string; fixture: string }) => arm === 'semantic' && fixture === 'c2';
    const part = await verdictOf({ arms, row, unfinished });
    expect(part.datasets[0]?.best).toBe('bm25');
    expect(part.limits.map(({ kind }) => kind)).toContain('arm-stopped');
  });

  it('OB-6 tells where the best loses most, by the stage that lost it', async () => {
    const miss = (cause: 'misread' | 'not-retrieved') => ({ scores: { 'token-f1': 0 }, miss: { cause, turns: [] } });
    const two = await verdictOf({
      arms: ['bm25', 'none'],
      row: ({ arm, index }) =>
        arm === 'none' ? 0 : index < 3 ? miss('not-retrieved') : index < 5 ? miss('misread') : 1,
    });
    expect(two.datasets[0]?.loss).toBe(
      'bm25 is wrong in 30 of 48 rows, most often because the evidence was not retrieved (18).',
    );
  });

  it('OB-6 what is misread of beliefs may have been lost by formation, and unanswerable questions are spoken of where there are some', async () => {
    const miss = { scores: { 'token-f1': 0 }, miss: { cause: 'misread' as const, turns: [] } };
    const lossOf = async (questions: { answerable?: boolean }[], unit: 'beliefs' | 'turns') => {
      const row = ({ index }: { index: number }) => (index === 0 ? miss : 1);
      const units = (result: RunResult): RunResult => ({
        ...result,
        arms: result.arms.map((arm) => ({ ...arm, unit })),
      });
      return (await verdictOf({ arms: ['bm25'], fixtures: [{ id: 'c1', questions }], row }, units)).datasets[0]?.loss;
    };
    expect(await lossOf([{}, {}], 'turns')).toBe(
      'bm25 is wrong in 1 of 2 rows, most often though the evidence had come into the context (1).',
    );
    expect(await lossOf([{}, {}], 'beliefs')).toContain(
      '(1). A belief that rests on each evidence turn was there; it may',
    );
    expect(await lossOf([{}, { answerable: false }], 'turns')).toContain(
      'or because it answered what cannot be answered',
    );
  });

  it('OB-2 a cost that is not known is said to be unpriced, and what is as good and cheaper is named', async () => {
    const unpriced = (result: RunResult): RunResult => ({
      ...result,
      arms: result.arms.map((arm) => ({ ...arm, attributed_nano_usd: null })),
    });
    expect((await verdictOf({}, unpriced)).datasets[0]?.cost).toEqual([
      expect.stringMatching(/^In money it is not known: .*unpriced/),
      'The reader of hybrid is given 100 context tokens for a question, in the median, beside 100 of full-history.',
    ]);
    const shorter = (result: RunResult): RunResult => ({
      ...result,
      arms: result.arms.map((arm) =>
        arm.arm === 'semantic' ? { ...arm, context_tokens: { p50: 80, p95: 90, mean: 80 } } : arm,
      ),
    });
    const read = await verdictOf({}, shorter);
    expect(read.datasets[0]?.cost).toContain('semantic is not told apart from it, and its reader is given 80.');
    expect(read.limits.map(({ sentence }) => sentence)).toContainEqual(
      expect.stringMatching(/^Mean context differs by more than a tenth .*semantic 80\. What differs in score/),
    );
    const costs = { fixed_nano_usd: 1_000_000_000, marginal_nano_usd: 2_000_000, break_even_questions: null };
    const priced = (result: RunResult): RunResult => ({
      ...result,
      arms: result.arms.map((arm) => ({
        ...arm,
        attributed_nano_usd: arm.arm === 'hybrid' ? 3_000_000_000 : 2_000_000_000,
        costs,
      })),
    });
    expect((await verdictOf({}, priced)).datasets[0]?.cost).toEqual([
      expect.stringContaining('On its own hybrid would have cost $3.00 for this load: $1.00 once'),
      'semantic is not told apart from it and would have cost $2.00.',
      expect.stringContaining('is given 100 context tokens for a question'),
    ]);
  });
});

it('RP-5 OB-4 LE-6 FX-6 PR-4 limits come gravest first, each with its counts', async () => {
  const opened = await openRunRecord(
    await writeRecordedRun({
      fixtures: [{ id: 'c1', questions: 4 }],
      row: ({ arm, index }) => (arm === 'semantic' && index < 2 ? (index === 0 ? 'lost' : 'failed') : 1),
    }),
  );
  const limits = runLimits({
    ...opened.result,
    model_changes: [{ stage: 'reader', requested: 'm', reported: ['m-1', 'm-2'] }],
    lessons: {
      projection: opened.result.matrix,
      lessons: 2,
      of_unknown_origin: 1,
      calibrated: false,
      in_sample: [{ fixture: 'c1', questions: ['c1/q1', 'c1/q2'] }],
      pairs: [],
    },
  });
  expect(limits.map(({ kind }) => kind)).toEqual([
    'incomplete',
    'lost',
    'failed',
    'in-sample',
    'in-sample',
    'model-changed',
    'unreviewed',
  ]);
  const said = limits.map(({ sentence }) => sentence).join('\n');
  expect(said).toContain('Continue it with: recall-matrix run --resume');
  expect(said).toContain('semantic lost 1 of 4 rows to the provider or the budget: they are in no mean.');
  expect(said).toContain('semantic failed by its own making in 1 of 4 rows: they count as 0.');
  expect(said).toContain('Lessons were learnt from 2 questions of this load: no verdict rests on them.');
  expect(said).toContain('several names within the run: m-1, m-2');
  expect(said).toContain('No person has reviewed 1 of 1 corpus.');
});
