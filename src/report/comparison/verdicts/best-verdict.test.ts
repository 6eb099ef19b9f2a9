import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../core/random.js';
import type { CountedScore } from '../../figures/figures.js';
import { bestOfArms } from './best-of-arms.js';
import { bestVerdict, type RankedArm } from './best-verdict.js';

/** Scores of `conversations` of ten questions each, by conversation and question from 0. */
function arm(
  name: string,
  score: (conversation: number, question: number) => number | 'failed' | 'lost',
  conversations = 8,
): RankedArm {
  return {
    arm: name,
    scores: Array.from({ length: conversations * 10 }, (_, index): CountedScore => {
      const value = score(Math.floor(index / 10), index % 10);
      return {
        conversation: `c${Math.floor(index / 10)}`,
        question: `q${index % 10}`,
        replicate: 1,
        repeat: 1,
        score: value === 'failed' ? 0 : value === 'lost' ? null : value,
        is_failure: value === 'failed',
      };
    }),
  };
}

/** Conversations and questions differ, and arms by chance alone. */
function noisy(seed: string, shift = 0): (conversation: number, question: number) => number {
  const random = seededRandom(seed);
  return () => Math.min(1, Math.max(0, shift + random.integer(20, 60) / 100));
}

const verdict = (...arms: RankedArm[]) => bestVerdict(arms, 'token-f1', 0.05);

describe('RP-5 which arm is best, and how sure that is', () => {
  it('RP-3 an arm that is far ahead is told apart from every other, and its lead is said to be overstated', () => {
    const found = verdict(arm('a', noisy('a')), arm('b', noisy('b', 0.3)), arm('c', noisy('c')));
    expect(found).toMatchObject({ best: 'b', how_sure: 'told-apart', behind: ['c', 'a'], rivals: [], open: null });
    expect(found.sentence).toContain('b scored highest: token-f1 0.');
    expect(found.sentence).toContain('over 80 questions of 8 conversations');
    expect(found.sentence).toContain('told apart from all of 2 other arms.');
    expect(found.basis).toMatch(/at 95 %, by Holm over all 3 pairs of ranked arms\. .*lead is likely overstated\.$/);
    expect(found.lead).toMatch(/^b − [ac]: \+0\.\d+, \[\+0\.\d+, \+0\.\d+\] for new conversations \(80 questions\)\.$/);
  });

  it('an arm that cannot be told apart from the best is named; one that is called none is no word of the sentence', () => {
    const found = verdict(arm('none', noisy('a')), arm('b', noisy('b', 0.3)), arm('c', noisy('c', 0.3)));
    expect(found.how_sure).toBe('partly');
    expect(found.sentence).toContain('Of 2 other arms it is told apart from 1, the arm none; which');
    expect(found.open).toMatch(/^For all that this load shows, the arm [bc] may be as good as [bc]\.$/);
  });

  it('RP-3 of eight equal arms the best is seldom told apart from any, for all pairs of them could have come to be looked at', () => {
    const runs = 150;
    let found = 0;
    for (let run = 0; run < runs; run += 1) {
      const arms = Array.from({ length: 8 }, (_, place) => arm(`a${place}`, noisy(`${run} ${place}`), 6));
      if (bestOfArms(arms, 0.05)?.rivals.some(({ standing }) => standing === 'behind')) found += 1;
    }
    expect(found / runs).toBeLessThan(0.08);
  });

  it('equal means are a tie: the first of the matrix stands as best, and all are named', () => {
    const same = noisy('same');
    const scores = Array.from({ length: 80 }, () => same(0, 0));
    const of = (conversation: number, question: number) => scores[conversation * 10 + question] as number;
    const found = verdict(arm('z', of), arm('a', of), arm('low', noisy('low', -0.2)));
    expect(found.best).toBe('z');
    expect(found.sentence).toContain('z and a scored the same, and highest');
    expect(found.rivals).toEqual(['a']);
  });

  it('one conversation, or no difference at all, tells nothing of others: that is said instead of “not significant”', () => {
    const one = verdict(arm('a', noisy('a'), 1), arm('b', noisy('b', 0.3), 1));
    expect(one.how_sure).toBe('could-not-be-told');
    expect(one.sentence).toContain('one conversation says nothing of others');
    const same = verdict(
      arm('a', () => 0.5),
      arm('b', () => 0.5),
    );
    expect(same.sentence).toMatch(/^a and b scored the same, and highest: .*\. Nothing tells them apart\.$/);
  });

  it('RP-3 of few conversations the sentence says that a sign-flip test could have found nothing', () => {
    const found = verdict(arm('a', noisy('a'), 3), arm('b', noisy('b', 0.4), 3));
    expect(found.how_sure).toBe('told-apart');
    expect(found.basis).toMatch(/rests on 3 conversations and on t alone.* is 0\.25\.$/);
  });

  it('OB-4 where failures as 0 and failures left out disagree on the best, or on what is behind it, no verdict is given', () => {
    const flaky = (conversation: number, question: number) =>
      question < 5 ? 'failed' : noisy(`${conversation}`, 0.35)(0, 0);
    const found = verdict(arm('steady', noisy('a')), arm('flaky', flaky));
    expect(found).toMatchObject({ best: null, how_sure: 'withheld', rivals: [] });
    expect(found.sentence).toMatch(/^No verdict: with failures as 0 steady scored highest .* changes that to flaky/);
    const near = verdict(
      arm('best', noisy('a', 0.1)),
      arm('flaky', (c, q) => (q < 5 ? 'failed' : noisy(`${c} ${q}`, 0.1)(0, 0))),
    );
    expect(near.how_sure).toBe('withheld');
  });

  it('OB-4 lost rows are in no mean', () => {
    const found = verdict(
      arm('a', (_, question) => (question === 0 ? 'lost' : 1)),
      arm('b', noisy('b')),
    );
    expect(found.sentence).toContain('a scored highest: token-f1 1.000 over 72 questions');
  });

  it('a single arm is better than nothing, and no arm is none', () => {
    expect(verdict(arm('a', noisy('a')))).toMatchObject({ best: 'a', how_sure: 'alone' });
    expect(verdict()).toMatchObject({ best: null, how_sure: 'none' });
    expect(verdict(arm('a', () => 'lost'))).toMatchObject({ best: null, how_sure: 'none' });
  });
});
