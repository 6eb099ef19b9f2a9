import { describe, expect, it } from 'vitest';
import {
  comparedArms,
  comparedRuns,
  contrastsOf,
  conversations,
  firstContrast,
  noiseOf,
  planOf,
} from '../../../test/support/compared.js';
import type { AskedRow, RowValue } from '../../../test/support/recorded-run.js';
import type { Comparison } from './comparison.js';
import { applyGates } from './gate/apply-gates.js';
import { plannedCondition } from './gate/condition.js';

/** `semantic` is better by 0.1, `hybrid` by nothing: each with noise of its own. */
const planted = (asked: AskedRow): number => {
  const turn = { bm25: 0, semantic: 1, hybrid: 2 }[asked.arm] ?? 3;
  return 0.5 + noiseOf(asked, turn) / 4 + (asked.arm === 'semantic' ? 0.1 : 0);
};
const PLANTED = { fixtures: conversations(8), arms: ['bm25', 'semantic', 'hybrid'], row: planted };
const BOTH = planOf([
  ['semantic', 'bm25'],
  ['hybrid', 'bm25'],
]);

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

  it('MX-8 what no plan names is exploratory: other arms against the baseline, and other scorers', async () => {
    const run = { ...PLANTED, matrix: planOf([['semantic', 'bm25']]), scorers: ['token-f1', 'exact-match'] };
    const comparison = await comparedArms(run, { scorers: 'all' });
    expect(
      contrastsOf(comparison).map(({ head_arm, scorer, planned, adjusted_p }) => [
        head_arm,
        scorer,
        planned,
        adjusted_p !== null,
      ]),
    ).toEqual([
      ['semantic', 'token-f1', true, true],
      ['hybrid', 'token-f1', false, false],
      ['semantic', 'exact-match', false, false],
      ['hybrid', 'exact-match', false, false],
    ]);
    expect(contrastsOf(comparison)[1]?.verdict.basis).toContain('Exploratory: no plan names it.');
    // Nor does it make the plan's own p any larger.
    const { new_conversations: found, adjusted_p } = firstContrast(comparison);
    expect(adjusted_p).toBe(found.kind === 'estimated' ? found.p : null);
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

  it('MX-8 a plan covers no labels that were changed after the answers: all is exploratory then, and why is said', async () => {
    const sha = (letter: string) => `sha256:${letter.repeat(64)}` as const;
    const changed_labels = [{ fixture: 'made-up-1', before: sha('a'), after: sha('b') }];
    const relabelled = { ...PLANTED, matrix: BOTH, result: { changed_labels } };
    const own = await comparedArms(relabelled);
    expect(contrastsOf(own).map(({ planned, adjusted_p }) => [planned, adjusted_p])).toEqual([
      [false, null],
      [false, null],
    ]);
    expect(firstContrast(own).verdict.basis).toContain('Exploratory: labels were changed after the answers.');
    expect(own.notes).toEqual([expect.stringMatching(/^Labels of made-up-1 were changed after the answers, /)]);
    for (const [base, head, whose] of [
      [relabelled, PLANTED, 'base'],
      [PLANTED, relabelled, 'head'],
    ] as const) {
      const both = await comparedRuns({ ...base, matrix: BOTH }, { ...head, matrix: BOTH });
      expect(contrastsOf(both).some(({ planned }) => planned)).toBe(false);
      expect(both.notes.join('\n')).toContain(`Labels of made-up-1 were changed after the answers of ${whose}, `);
    }
  });

  it('RP-3 the family is the whole plan, also where one contrast of it is asked for, in either direction', async () => {
    const whole = contrastsOf(await comparedArms({ ...PLANTED, matrix: BOTH }))[1];
    const asked = await comparedArms({ ...PLANTED, matrix: BOTH }, { arm: 'bm25', against: 'hybrid' });
    expect(contrastsOf(asked)).toHaveLength(1);
    expect(firstContrast(asked)).toMatchObject({ head_arm: 'bm25', base_arm: 'hybrid', planned: true });
    expect(firstContrast(asked).adjusted_p).toBeCloseTo(whole?.adjusted_p as number, 12);
    expect(firstContrast(asked).verdict.basis[0]).toContain('after Holm over 2 planned contrasts');
    const other = await comparedArms({ ...PLANTED, matrix: BOTH }, { arm: 'hybrid', against: 'semantic' });
    expect(firstContrast(other)).toMatchObject({ planned: false, adjusted_p: null });
  });

  it('RP-3 MX-8 the smallest detectable difference of a planned contrast is by Holm’s strictest step, of an exploratory one by alpha', async () => {
    const alphaOf = async (matrix: typeof BOTH) =>
      contrastsOf(await comparedArms({ ...PLANTED, matrix })).map(({ new_conversations, smallest_detectable }) => {
        if (smallest_detectable.kind !== 'estimated' || new_conversations.kind !== 'estimated') throw new Error('none');
        const { alpha, power, difference } = smallest_detectable;
        return { alpha, power, multiple: difference / new_conversations.standard_error };
      });
    // Student's t on 7 degrees of freedom: 2.841 and 2.365 at a two-sided 0.025 and 0.05, 0.896 at a power of 0.8.
    const [strict, plain] = [expect.closeTo(3.737, 3), expect.closeTo(3.261, 3)];
    expect(await alphaOf(BOTH)).toEqual([
      { alpha: 0.025, power: 0.8, multiple: strict },
      { alpha: 0.025, power: 0.8, multiple: strict },
    ]);
    expect(await alphaOf(planOf([['semantic', 'bm25']]))).toEqual([
      { alpha: 0.05, power: 0.8, multiple: plain },
      { alpha: 0.05, power: 0.8, multiple: plain },
    ]);
    const exploratory = await comparedArms({ ...PLANTED, matrix: BOTH }, { arm: 'hybrid', against: 'semantic' });
    expect(firstContrast(exploratory).smallest_detectable).toMatchObject({ alpha: 0.05 });
  });

  it('RP-3 a contrast that could not be tested counts in the family', async () => {
    // The third arm has no row: its p is null, and m is 3.
    const arms = ['bm25', 'semantic', 'hybrid', 'recency'];
    const three = planOf([...BOTH.analysis.contrasts, ['recency', 'bm25']]);
    const run = { ...PLANTED, arms, unfinished: ({ arm }: { arm: string }) => arm === 'recency' };
    const [found, , none] = contrastsOf(await comparedArms({ ...run, matrix: three }));
    expect(none).toMatchObject({ pairs: 0, adjusted_p: null, verdict: { kind: 'could-not-be-told' } });
    expect(none?.verdict.sentence).toContain(
      'no question has a score under both (48 under base alone, 0 under head alone)',
    );
    const p = found?.new_conversations.kind === 'estimated' ? found.new_conversations.p : Number.NaN;
    expect(found?.adjusted_p).toBeCloseTo(3 * p, 12);
  });

  it('RP-3 with five conversations the sign-flip test could find nothing, and the sentence says so', async () => {
    const comparison = await comparedArms({ ...PLANTED, fixtures: conversations(5), matrix: BOTH });
    const { sentence, basis } = contrastsOf(comparison)[1]?.verdict ?? {};
    expect(basis).toContain(
      'Beside it, the sign-flip test could not have reached 0.05: with 5 conversations that differ its smallest p is 2/32 = 0.063.',
    );
    expect([sentence, ...(basis ?? [])].join(' ')).not.toContain('significant');
  });

  it('RP-3 of fewer than five conversations one note cautions that a narrow interval proves nothing', async () => {
    const caution = (of: number) =>
      `With ${of} conversations an interval's own width is mostly chance: a narrow one proves nothing.`;
    const notesOf = async (count: number) =>
      (await comparedArms({ ...PLANTED, fixtures: conversations(count), matrix: BOTH })).notes;
    expect(await notesOf(4)).toEqual([caution(4)]);
    // Of one there is no interval to be trusted.
    for (const count of [1, 5]) expect(await notesOf(count)).toEqual([]);
  });

  it('RP-3 one conversation says nothing of new ones; no variance and no difference are told apart', async () => {
    const one = firstContrast(await comparedArms({ ...PLANTED, fixtures: conversations(1), matrix: BOTH }));
    expect(one.verdict).toMatchObject({
      kind: 'could-not-be-told',
      sentence: expect.stringContaining('one conversation says nothing of new ones; in it the difference is +0.'),
      basis: [expect.stringMatching(/^95 % within it \[.*\]\.$/), '1 conversation, 6 questions.'],
    });
    const row = ({ arm }: AskedRow) => (arm === 'semantic' ? 0.75 : 0.5);
    const equal = async (count: number) =>
      firstContrast(await comparedArms({ fixtures: conversations(count, 2), row }));
    expect((await equal(4)).verdict).toMatchObject({
      kind: 'could-not-be-told',
      sentence: expect.stringContaining('differs by +0.250'),
      basis: expect.arrayContaining([expect.stringContaining('the smallest p of a sign-flip test is 2/16')]),
    });
    // Six that all differ by the same: no error to divide by, and yet 2/64.
    expect((await equal(6)).verdict).toMatchObject({
      kind: 'better',
      basis: [
        'Decided by p 0.031 (the sign-flip test).',
        '6 conversations, 12 questions.',
        'Exploratory: no plan names it.',
      ],
    });
    const same = firstContrast(await comparedArms({ fixtures: conversations(3, 2), row: () => 0.5 }));
    expect(same.verdict).toMatchObject({
      kind: 'not-told-apart',
      sentence: expect.stringContaining('no question differs'),
      basis: [
        'Decided by p 1 (no conversation differs).',
        '3 conversations, 6 questions.',
        'Exploratory: no plan names it.',
      ],
    });
  });

  it('RP-3 two conversations that agree by chance are no finding: the noise of their questions speaks too', async () => {
    // One more right answer of 52 in one conversation, one of 53 in the other: their means are nearly the same, and t has almost no error.
    const fixtures = [
      { id: 'c1', questions: 52 },
      { id: 'c2', questions: 53 },
    ];
    const row = ({ arm, index }: AskedRow) => Number(index % 2 === 0 || (arm === 'semantic' && index === 1));
    const found = firstContrast(await comparedArms({ fixtures, row, matrix: planOf([['semantic', 'bm25']]) }));
    if (found.new_conversations.kind !== 'estimated') throw new Error(found.new_conversations.kind);
    expect(found.new_conversations.p).toBeLessThan(0.01);
    expect(found).toMatchObject({ verdict: { kind: 'not-told-apart' }, adjusted_p: expect.closeTo(0.158, 3) });
    expect(found.verdict.basis.slice(0, 2)).toEqual([
      'Decided by p 0.16 (t over questions).',
      'The noise of the questions leaves more open than t over conversations, whose own p is 0.0061.',
    ]);
    expect(found.verdict.sentence).toMatch(/\[\+0.*\], no more than the noise of the questions\.$/);
  });

  it('RP-3 an interval that leaves 0 out, and is no finding among all that was planned, says so', async () => {
    // Of conversations' means 0.03 with an error of 0.01: t is 3 on 4 degrees of freedom, p 0.04.
    const effects = [0, 0.02, 0.04, 0.06, 0.03];
    const row = (asked: AskedRow) =>
      0.5 +
      (asked.arm === 'semantic' ? (effects[asked.conversation] as number) : 0) +
      (asked.arm === 'hybrid' ? noiseOf(asked) / 9 : 0);
    const [found] = contrastsOf(await comparedArms({ ...PLANTED, fixtures: conversations(5), row, matrix: BOTH }));
    expect(found).toMatchObject({ verdict: { kind: 'not-told-apart' }, adjusted_p: expect.closeTo(0.08, 3) });
    expect(found?.verdict.sentence).toMatch(/\[\+0.*\], too little among 2 planned contrasts\.$/);
  });

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

  it('RP-3 datasets are never pooled, and share the family', async () => {
    const fixtures = [...conversations(6, 4, 'locomo'), ...conversations(2, 4, 'nightly')];
    const { datasets } = await comparedArms({ ...PLANTED, fixtures, matrix: planOf([['semantic', 'bm25']]) });
    expect(datasets.map(({ dataset, conversations: all }) => [dataset, all.length])).toEqual([
      ['locomo', 6],
      ['nightly', 2],
    ]);
    expect(datasets[0]?.contrasts[0]).toMatchObject({ pairs: 24, verdict: { kind: 'better' } });
    expect(datasets[0]?.contrasts[0]?.verdict.basis[0]).toContain('after Holm over 2 planned contrasts');
    expect(datasets[1]?.contrasts[0]).toMatchObject({ pairs: 8, new_conversations: { degrees_of_freedom: 1 } });
  });

  it('RP-3 where one conversation holds most of the questions, its size is told', async () => {
    const fixtures = [{ id: 'long', questions: 30 }, ...conversations(4, 3)];
    const comparison = await comparedArms({ ...PLANTED, fixtures });
    expect(firstContrast(comparison).verdict.basis.join(' ')).toContain(
      'One conversation holds 30 of the 42 questions, which makes the interval too narrow (long 30, made-up-1 3,',
    );
    expect(comparison.datasets[0]?.conversations[0]).toEqual({ fixture: 'long', questions: 30 });
  });

  it('RT-2 a reference is never called better or worse', async () => {
    const row = ({ arm, ...asked }: AskedRow) => (arm === 'full-history' ? 0.9 : 0.4) + noiseOf({ ...asked }) / 9;
    const run = { fixtures: conversations(8), arms: ['bm25', 'full-history'], row: (asked: AskedRow) => row(asked) };
    const { verdict } = firstContrast(await comparedArms(run, { arm: 'full-history', against: 'bm25' }));
    expect(verdict.kind).toBe('reference');
    expect(verdict.sentence).toMatch(/^For scale: full-history scored 0\.5/);
    expect(verdict.basis[0]).toBe('full-history is a reference, for scale and never ranked.');
    await expect(comparedArms(run)).rejects.toMatchObject({ code: 'COMPARE_NOTHING' });
  });

  it('RP-8 a twin is compared only where it is asked for, and differs in nothing', async () => {
    const twin = { name: 'bm25-aa', aa_of: 'bm25' };
    const run = { ...PLANTED, arms: ['bm25', twin, 'semantic'] };
    expect(contrastsOf(await comparedArms(run)).map(({ head_arm }) => head_arm)).toEqual(['semantic']);
    const asked = await comparedArms(run, { arm: 'bm25-aa', against: 'bm25' });
    expect(asked.factors).toEqual([]);
  });

  it('RP-8 the noise floor of an arm that ran twice stands beside the differences of every pair', async () => {
    const twin = { name: 'bm25-aa', aa_of: 'bm25' };
    const run = { ...PLANTED, arms: ['bm25', twin, 'semantic'] };
    const [dataset] = (await comparedArms(run)).datasets;
    const [floor, ...others] = dataset?.noise_floors ?? [];
    expect(others).toEqual([]);
    const self = firstContrast(await comparedArms(run, { arm: 'bm25-aa', against: 'bm25' }));
    expect(floor).toMatchObject({ arm: 'bm25', twin: 'bm25-aa', pairs: self.pairs });
    expect(floor?.these_conversations).toEqual(self.these_conversations);
    expect((await comparedArms(PLANTED)).datasets[0]?.noise_floors).toEqual([]);
    const other = { ...run, scorers: ['token-f1', 'exact-match'] };
    expect((await comparedArms(other, { scorers: ['exact-match'] })).datasets[0]?.noise_floors).toEqual([]);
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

describe('the two means of OB-4', () => {
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

  it('OB-4 where the two disagree on the verdict, none is given', async () => {
    const row = (asked: AskedRow) =>
      asked.arm === 'semantic' && asked.index < 3 ? 'failed' : 0.5 + noiseOf(asked, asked.arm === 'bm25' ? 0 : 1) / 4;
    const { verdict } = firstContrast(await comparedArms({ fixtures: conversations(8), row }));
    expect(verdict.kind).toBe('withheld');
    expect(verdict.sentence).toMatch(
      /^No verdict on semantic and bm25 by token-f1: with failures as 0 the difference is −0\.\d+, with them left out [+−]?0\.\d+\.$/,
    );
    expect(verdict.basis[0]).toBe("0 of 48 rows of base and 24 of 48 of head failed by the arm's own making.");
  });

  it('OB-4 rows that one side lost are in no pair, and counted', async () => {
    const row = (asked: AskedRow) => (asked.arm === 'semantic' && asked.index === 0 ? 'lost' : planted(asked));
    const found = firstContrast(await comparedArms({ ...PLANTED, row }));
    expect(found).toMatchObject({ pairs: 40, only_base: 8, only_head: 0 });
  });
});

describe('lessons', () => {
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

  it('MX-8 nothing is planned where the two plan by other scorers', async () => {
    const scorers = ['token-f1', 'exact-match'];
    const comparison = await comparedRuns(
      { ...PLANTED, scorers, matrix: planOf([], 'exact-match') },
      { ...PLANTED, scorers },
      { treatments: ['context'] },
    );
    expect(contrastsOf(comparison).some(({ planned }) => planned)).toBe(false);
    expect(comparison.notes).toContain(
      'Base plans by exact-match and head by token-f1: nothing of this comparison was planned.',
    );
    expect(comparison.notes).toContain('context was stated to be the treatment, and does not differ.');
  });

  it('RP-2 an arm or a scorer that one side lacks is named, and a run that is not whole is', async () => {
    const comparison = await comparedRuns(
      { ...PLANTED, arms: ['bm25', 'semantic'], scorers: ['token-f1', 'exact-match'] },
      { ...PLANTED, arms: ['bm25', 'recency'], unfinished: ({ fixture }) => fixture === 'made-up-1' },
    );
    expect(comparison.notes).toEqual(
      expect.arrayContaining([
        'run-2 is incomplete.',
        'bm25 of head is incomplete: 6 of 48 questions without an answer.',
        'Only one side has scores by exact-match.',
        'Only one side has the 2 arms semantic, recency.',
      ]),
    );
    expect(firstContrast(comparison)).toMatchObject({ pairs: 42, only_base: 6 });
  });

  it('RP-2 an arm that is a reference on one side alone is left out with a word, and so is what the sides say of a dataset', async () => {
    const fixtures = (dataset: string) => [{ id: 'c1', questions: 2, dataset }];
    const comparison = await comparedRuns(
      { fixtures: fixtures('one'), arms: ['bm25', 'whole'] },
      { fixtures: fixtures('two'), arms: ['bm25', { name: 'whole', reference: true }] },
    );
    expect(contrastsOf(comparison).map(({ head_arm }) => head_arm)).toEqual(['bm25']);
    expect(comparison.notes.slice(1)).toEqual([
      'whole is a reference on one side alone, and is not compared.',
      'c1 is of one in base and of two in head: that of head is used.',
    ]);
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
