import { describe, expect, it } from 'vitest';
import {
  BOTH,
  comparedArms,
  comparedRuns,
  contrastsOf,
  conversations,
  firstContrast,
  noiseOf,
  PLANTED,
  planted,
} from '../../../test/support/compared.js';
import type { AskedRow } from '../../../test/support/recorded-run.js';
import type { Comparison } from './comparison.js';

describe('arms of one run', () => {
  it('RP-3 MX-8 a planted difference is found and a planted non-difference is not, after Holm over the plan', async () => {
    const comparison = await comparedArms({ ...PLANTED, matrix: BOTH });
    const [better, alike] = contrastsOf(comparison);
    expect(better).toMatchObject({
      ...{ head_arm: 'semantic', base_arm: 'bm25', planned: true, pairs: 48, only_base: 0, only_head: 0 },
      verdict: { kind: 'better' },
    });
    expect(better?.verdict.sentence).toMatch(
      /^semantic scored 0\.\d{3} above bm25 on token-f1: difference \+0\.\d{3}, 95 % for new conversations \[\+.*\]\.$/,
    );
    expect(better?.verdict.basis).toEqual([
      'Decided by p below 0.001 (t over conversations, after Holm over 2 planned contrasts).',
      'Beside it, the sign-flip test: p 0.0078, the least that it could have given.',
      '8 conversations, 48 questions.',
    ]);
    expect(alike).toMatchObject({ planned: true, verdict: { kind: 'not-told-apart' } });
    expect(alike?.verdict.basis.at(-1)).toMatch(
      /^For new conversations, t at 0\.025 \(0\.05 over 2 planned contrasts, Holm's strictest step\) would have found a true difference of 0\.\d{3} in 80 of 100 runs/,
    );
    expect(comparison).toMatchObject({ kind: 'within-run', confounded: false, formation_differs: false, notes: [] });
    expect(comparison.factors.map(({ factor, is_treatment }) => [factor, is_treatment])).toEqual([
      ['arm', true],
      ['arm', true],
    ]);
  });

  it('RP-3 MX-8 the primary scorer is compared alone, and those of gates; a note says which others there are', async () => {
    const run = { ...PLANTED, arms: ['bm25', 'semantic'], scorers: ['token-f1', 'exact-match', 'coverage'] };
    const scorersOf = (comparison: Comparison) => contrastsOf(comparison).map(({ scorer }) => scorer);
    const plain = await comparedArms(run);
    expect(scorersOf(plain)).toEqual(['token-f1']);
    expect(plain.notes).toEqual([
      'Not compared, exploratory: 2 other scores (exact-match, coverage). --all-scorers shows all, --scorer NAME one.',
    ]);
    const gated = await comparedArms(run, { gated: ['coverage'] });
    expect(scorersOf(gated)).toEqual(['token-f1', 'coverage']);
    expect(gated.notes).toEqual([
      'Not compared, exploratory: 1 other score (exact-match). --all-scorers shows it, --scorer NAME one.',
    ]);
    const named = await comparedArms(run, { scorers: ['exact-match'], gated: ['token-f1'] });
    expect(scorersOf(named)).toEqual(['token-f1', 'exact-match']);
    expect(named.notes).toEqual([]);
  });

  it('RP-3 without the diagnostics, which a report does not show, all else is the same', async () => {
    const whole = contrastsOf(await comparedArms(PLANTED));
    const notComputed = { kind: 'not_computed' };
    expect(whole.map(({ bootstrap }) => bootstrap)).not.toContainEqual(notComputed);
    expect(contrastsOf(await comparedArms(PLANTED, { diagnostics: false }))).toEqual(
      whole.map((one) => ({ ...one, bootstrap: notComputed, within: { ...one.within, permutation: notComputed } })),
    );
  });

  it('the same rows say the same: twice, and in another folder under another id', async () => {
    const fixtures = conversations(25, 2);
    const one = await comparedArms({ ...PLANTED, fixtures });
    const other = await comparedArms({ ...PLANTED, fixtures, name: 'run-9', started_at: '2026-05-05T00:00:00.000Z' });
    expect(other.datasets).toEqual(one.datasets);
    expect(firstContrast(one).sign_flip).toMatchObject({ method: 'monte_carlo' });
  });
});

describe('two runs', () => {
  it('RP-2 RP-3 a planted regression is found in the arm that has it, and each arm is compared with itself', async () => {
    const head = (asked: AskedRow) =>
      planted(asked) - (asked.arm === 'hybrid' ? 0.1 + noiseOf(asked, 4) / 4 : noiseOf(asked, 5) / 8);
    const comparison = await comparedRuns(PLANTED, { ...PLANTED, row: head });
    expect(contrastsOf(comparison).map(({ head_arm, verdict }) => [head_arm, verdict.kind])).toEqual([
      ['bm25', 'not-told-apart'],
      ['semantic', 'not-told-apart'],
      ['hybrid', 'worse'],
    ]);
    expect(contrastsOf(comparison).every(({ planned }) => planned)).toBe(true);
    expect(contrastsOf(comparison)[2]?.verdict.sentence).toMatch(
      /^hybrid of head scored 0\.\d+ below hybrid of base on token-f1: difference −0/,
    );
    expect(contrastsOf(comparison)[2]?.verdict.basis[0]).toContain('after Holm over 3 planned contrasts');
    expect(comparison).toMatchObject({ kind: 'two-runs', factors: [], confounded: false });
    expect(comparison.notes).toEqual([
      'Nothing that is known differs between the two sides: what their scores differ by is chance.',
    ]);
  });

  it('RP-2 one arm, and one arm against another, are asked for by name', async () => {
    const one = await comparedRuns(PLANTED, PLANTED, { arm: 'hybrid' });
    expect(contrastsOf(one).map(({ base_arm, head_arm }) => [base_arm, head_arm])).toEqual([['hybrid', 'hybrid']]);
    const other = await comparedRuns(PLANTED, PLANTED, { arm: 'semantic', against: 'bm25' });
    expect(firstContrast(other)).toMatchObject({ base_arm: 'bm25', head_arm: 'semantic', planned: false });
    expect(other.factors).toMatchObject([{ factor: 'arm', arm: 'semantic against bm25', is_treatment: true }]);
  });
});
