import { describe, expect, it } from 'vitest';
import {
  comparedArms,
  comparedRuns,
  contrastsOf,
  conversations,
  firstContrast,
  noiseOf,
  PLANTED,
  planted,
} from '../../../test/support/compared.js';
import type { AskedRow, RowValue } from '../../../test/support/recorded-run.js';
import { applyGates } from './gate/apply-gates.js';
import { plannedCondition } from './gate/condition.js';

describe('the rows that are compared', () => {
  it('RP-3 repeats and replicates are averaged first', async () => {
    const description = {
      fixtures: conversations(3, 2),
      repeats: 2,
      replicates: 2,
      row: ({ arm, index, repeat, replicate }: AskedRow) =>
        arm === 'semantic' ? ([0, 1, 0.5, 0.7][2 * (replicate - 1) + repeat - 1] ?? 0) : index / 10,
    };
    const { pairs, head_mean, base_mean, rows } = firstContrast(await comparedArms(description));
    expect({ pairs, rows: rows.head.rows }).toEqual({ pairs: 6, rows: 24 });
    expect(head_mean).toBeCloseTo(0.55, 12);
    expect(base_mean).toBeCloseTo(0.05, 12);
  });

  it('OB-4 failures of the arm’s own making are 0, lost rows are in neither mean, and both are counted', async () => {
    const row = (asked: AskedRow) =>
      asked.arm === 'semantic' && asked.index === 0 ? 'failed' : asked.index === 1 ? 'lost' : 1;
    const found = firstContrast(await comparedArms({ fixtures: conversations(3, 4), row }));
    expect(found.rows).toEqual({
      base: { rows: 12, answered: 9, failed: 0, lost: 3 },
      head: { rows: 12, answered: 6, failed: 3, lost: 3 },
    });
    expect(found).toMatchObject({ pairs: 9, only_base: 0, only_head: 0, without_failures: { pairs: 6 } });
    expect(found.base_mean).toBe(1);
    expect(found.head_mean).toBeCloseTo(2 / 3, 12);
  });

  it('OB-4 rows that one side lost are in no pair, and counted', async () => {
    const row = (asked: AskedRow) => (asked.arm === 'semantic' && asked.index === 0 ? 'lost' : planted(asked));
    const found = firstContrast(await comparedArms({ ...PLANTED, row }));
    expect(found).toMatchObject({ pairs: 40, only_base: 8, only_head: 0 });
  });

  it('LE-6 questions that lessons were learnt from are left out of a pair with an arm that injects, and counted', async () => {
    const lessons = {
      projection: `sha256:${'a'.repeat(64)}` as const,
      lessons: 1,
      of_unknown_origin: 0,
      calibrated: false as const,
      in_sample: [{ fixture: 'made-up-1', questions: ['made-up-1/q1', 'made-up-1/q2'] }],
      pairs: [],
    };
    const injecting = { name: 'bm25-lessons', context: { lessons: 'inject', lesson_tokens: 100 } } as const;
    const row = (asked: AskedRow) => (asked.arm === 'bm25-lessons' && asked.index < 2 ? 1 : 0.5 + noiseOf(asked) / 9);
    const run = { fixtures: conversations(3), arms: ['bm25', injecting, 'semantic'], row, result: { lessons } };
    const [with_lessons, without] = contrastsOf(await comparedArms(run));
    expect(with_lessons).toMatchObject({ head_arm: 'bm25-lessons', pairs: 16, rows: { head: { rows: 16 } } });
    expect(with_lessons?.verdict.basis).toContain('Left out: 2 in-sample questions, which lessons were learnt from.');
    expect(without).toMatchObject({ head_arm: 'semantic', pairs: 18 });
    expect(without?.verdict.basis.join(' ')).not.toContain('in-sample');
    const twin = { ...injecting, name: 'bm25-lessons-aa', aa_of: 'bm25-lessons' };
    const [dataset] = (await comparedArms({ ...run, arms: ['bm25', injecting, twin] })).datasets;
    expect(dataset?.noise_floors).toMatchObject([{ arm: 'bm25-lessons', twin: 'bm25-lessons-aa', pairs: 16 }]);
  });

  it('RP-4 rows that a night never came to are lost rows: of replicates that are missing, every question still has a pair', async () => {
    const run = { ...PLANTED, arms: ['bm25'], replicates: 3 };
    const comparison = await comparedRuns(run, { ...run, unfinished: ({ replicate }) => replicate > 1 });
    expect(firstContrast(comparison)).toMatchObject({
      ...{ pairs: 48, only_base: 0 },
      rows: { base: { rows: 144, lost: 0 }, head: { rows: 144, answered: 48, lost: 96 } },
    });
    const gated = applyGates(comparison, {
      ...{ conditions: [plannedCondition(comparison)], scope: 'these-conversations', max_lost_share: 0.05 },
    });
    expect(gated.gate).toBe('invalid');
  });

  it('RP-4 an answer that its judge did not come to is a lost row of that score alone', async () => {
    const row = ({ repeat, index }: AskedRow): RowValue => {
      const scores = { 'token-f1': index / 10, 'judge:j': repeat === 1 ? 1 : null };
      return { scores, applicable: ['token-f1', 'judge:j'] };
    };
    const run = { ...PLANTED, arms: ['bm25'], scorers: ['token-f1', 'judge:j'], repeats: 2, row };
    const [f1, judged] = contrastsOf(await comparedRuns(run, run, { scorers: ['token-f1', 'judge:j'] }));
    expect(f1?.rows.head).toEqual({ rows: 96, answered: 96, failed: 0, lost: 0 });
    expect(judged?.rows.head).toEqual({ rows: 96, answered: 48, failed: 0, lost: 48 });
  });
});
