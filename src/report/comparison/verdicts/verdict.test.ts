import { describe, expect, it } from 'vitest';
import {
  BOTH,
  comparedArms,
  contrastsOf,
  conversations,
  firstContrast,
  noiseOf,
  PLANTED,
  planOf,
} from '../../../../test/support/compared.js';
import type { AskedRow } from '../../../../test/support/recorded-run.js';

describe('what a contrast comes to', () => {
  it('RP-3 with five conversations the sign-flip test could find nothing, and the sentence says so', async () => {
    const comparison = await comparedArms({ ...PLANTED, fixtures: conversations(5), matrix: BOTH });
    const { sentence, basis } = contrastsOf(comparison)[1]?.verdict ?? {};
    expect(basis).toContain(
      'Beside it, the sign-flip test could not have reached 0.05: with 5 conversations that differ its smallest p is 2/32 = 0.063.',
    );
    expect([sentence, ...(basis ?? [])].join(' ')).not.toContain('significant');
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
});
