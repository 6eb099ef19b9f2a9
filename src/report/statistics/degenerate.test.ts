import { describe, expect, it } from 'vitest';
import { clusterBootstrap } from './cluster-bootstrap.js';
import { holm } from './holm.js';
import { mcnemar } from './mcnemar.js';
import { newConversations } from './new-conversations.js';
import { clusterSignFlip, questionPermutation } from './sign-flip.js';
import { smallestDetectableDifference } from './smallest-detectable-difference.js';
import { theseConversations } from './these-conversations.js';

const OPTIONS = { alpha: 0.05, seed: 's' };
const POWER = { alpha: 0.05, power: 0.8 };
const of = (...conversations: number[][]) =>
  conversations.flatMap((values, index) => values.map((difference) => ({ conversation: `c${index}`, difference })));

describe('RP-3 degenerate cases give a stated answer', () => {
  it('no pairs', () => {
    const answers = [
      newConversations([], 0.05),
      theseConversations([], 0.05),
      clusterSignFlip([], OPTIONS),
      questionPermutation([], OPTIONS),
      clusterBootstrap([], OPTIONS),
      mcnemar([]),
    ];
    expect(answers.map(({ kind }) => kind)).toEqual(Array.from(answers, () => 'no_pairs'));
    expect(holm([])).toEqual([]);
  });

  it('one conversation says nothing of new ones, whatever its questions say', () => {
    const one = of([0, 1, 1, 0.5]);
    expect(newConversations(one, 0.05)).toEqual({ kind: 'one_unit', estimate: 0.625 });
    expect(clusterBootstrap(one, OPTIONS)).toEqual({ kind: 'one_unit', estimate: 0.625 });
    expect(clusterSignFlip(one, OPTIONS)).toMatchObject({ p: 1, smallest_p: 1, could_reach_alpha: false });
    expect(theseConversations(one, 0.05).kind).toBe('estimated');
    expect(theseConversations(of([0.5]), 0.05)).toEqual({ kind: 'one_unit', estimate: 0.5 });
  });

  it('all equal, in tenths that no double holds exactly', () => {
    // Summed by ten they come to 0.0999…: equal only but for rounding, by conversation and by question.
    const equal = of(...[10, 10, 6].map((length) => Array.from({ length }, () => 0.1)));
    for (const interval of [newConversations, theseConversations]) {
      const found = interval(equal, 0.05);
      if (found.kind !== 'all_equal') throw new Error(found.kind);
      expect(found.estimate).toBeCloseTo(0.1, 12);
      expect(smallestDetectableDifference(found, POWER)).toEqual({ kind: 'all_equal' });
    }
    const bootstrap = clusterBootstrap(equal, OPTIONS);
    if (bootstrap.kind !== 'estimated') throw new Error(bootstrap.kind);
    expect(bootstrap.hi - bootstrap.lo).toBeLessThan(1e-12);
  });

  it('no difference anywhere', () => {
    const none = of([0, 0], [0]);
    expect(newConversations(none, 0.05)).toEqual({ kind: 'all_equal', estimate: 0 });
    expect(clusterSignFlip(none, OPTIONS)).toEqual({ kind: 'all_zero', units: 2 });
    expect(questionPermutation(none, OPTIONS)).toEqual({ kind: 'all_zero', units: 3 });
    expect(mcnemar([{ conversation: 'c', question: 'q', base: 1, head: 1, difference: 0 }])).toEqual({
      kind: 'no_disagreement',
    });
  });

  it('conversations whose means are equal, though questions differ', () => {
    expect(newConversations(of([0.1, 0.3], [0.2], [0.3, 0.2, 0.1]), 0.05)).toMatchObject({ kind: 'no_variance' });
    expect(clusterSignFlip(of([0.1, -0.1], [0.3, -0.2, -0.1]), OPTIONS)).toEqual({ kind: 'all_zero', units: 2 });
  });

  it('five conversations, all one way: p is 2/32, and the answer says that it could not have been less', () => {
    const five = of([0.2], [0.3], [0.1], [0.4], [0.2]);
    expect(clusterSignFlip(five, OPTIONS)).toEqual({
      ...{ kind: 'tested', method: 'exact', p: 2 / 32, smallest_p: 2 / 32, could_reach_alpha: false },
      ...{ units: 5, differing_units: 5 },
    });
    // A sixth that does not differ makes the least p no smaller; one that does, does.
    expect(clusterSignFlip([...five, ...of([], [], [], [], [], [0])], OPTIONS)).toMatchObject({
      ...{ smallest_p: 2 / 32, units: 6, differing_units: 5 },
    });
    expect(clusterSignFlip([...five, ...of([], [], [], [], [], [0.1])], OPTIONS)).toMatchObject({
      ...{ p: 2 / 64, could_reach_alpha: true },
    });
  });

  it('sums that are equal but for rounding count as equal', () => {
    // 0.1 + 0.2 is not 0.3 in doubles: four of the eight patterns are as extreme as what was seen, not two.
    expect(clusterSignFlip(of([0.3], [-0.1], [-0.2]), OPTIONS)).toMatchObject({ p: 1 });
    expect(clusterSignFlip(of([0.6], [0.1, 0.2], [-0.3]), OPTIONS)).toMatchObject({ p: 6 / 8 });
  });

  it('above twenty that differ, patterns are drawn: p is never 0, and the seed gives it again', () => {
    const up = of(...Array.from({ length: 30 }, () => [0.2]));
    const found = clusterSignFlip(up, OPTIONS);
    expect(found).toMatchObject({
      method: 'monte_carlo',
      p: 1 / 10_001,
      smallest_p: 1 / 10_001,
      could_reach_alpha: true,
    });
    const mixed = of(...Array.from({ length: 30 }, (_, index) => [index % 3 === 0 ? -0.3 : 0.2]));
    expect(clusterSignFlip(mixed, OPTIONS)).toEqual(clusterSignFlip(mixed, OPTIONS));
    expect(clusterSignFlip(mixed, { ...OPTIONS, seed: 'other' })).not.toEqual(clusterSignFlip(mixed, OPTIONS));
  });

  it('drawn patterns agree with the binomial count of equal units', () => {
    // 41 units of one size, 26 up and 15 down: |sum| ≥ 11. P(X ≥ 26) + P(X ≤ 15), X binomial of 41 and one half.
    let [term, exact] = [2 ** -41, 0];
    for (let k = 0; k <= 15; k += 1) {
      exact += 2 * term;
      term *= (41 - k) / (k + 1);
    }
    const found = clusterSignFlip(of(...Array.from({ length: 41 }, (_, index) => [index < 26 ? 0.5 : -0.5])), OPTIONS);
    if (found.kind !== 'tested') throw new Error(found.kind);
    // Four standard errors of 10,000 draws.
    expect(Math.abs(found.p - exact)).toBeLessThan(4 * Math.sqrt((exact * (1 - exact)) / 10_000));
  });

  it('graded scores have no McNemar test', () => {
    expect(mcnemar([{ conversation: 'c', question: 'q', base: 0.5, head: 1, difference: 0.5 }])).toEqual({
      kind: 'not_binary',
    });
  });

  it('a planned contrast without a test counts in the number that was planned', () => {
    expect(
      holm([
        { id: 'a', p: null },
        { id: 'b', p: 0.02 },
      ]),
    ).toEqual([
      { id: 'a', p: null, adjusted_p: null },
      { id: 'b', p: 0.02, adjusted_p: 0.04 },
    ]);
  });
});
