import { describe, expect, it } from 'vitest';
import { holm } from './holm.js';
import { mcnemar } from './mcnemar.js';
import { newConversations } from './new-conversations.js';
import { clusterSignFlip, questionPermutation } from './sign-flip.js';
import { criticalT } from './student-t.js';
import { theseConversations } from './these-conversations.js';

const OPTIONS = { alpha: 0.05, seed: 'published' };

// Darwin's maize: cross- less self-fertilised heights of 15 pairs, in eighths of an inch (Fisher, 1935, The Design of Experiments, sections 16 to 21).
const MAIZE = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48].map((difference, index) => ({
  conversation: `pair ${index}`,
  difference,
}));
// Hours of sleep gained, of ten patients under two drugs (Student, 1908; R's `sleep`, whose t.test prints the numbers below).
const SLEEP = [1.2, 2.4, 1.3, 1.3, 0, 1.0, 1.8, 0.8, 4.6, 1.4].map((difference, index) => ({
  conversation: `patient ${index}`,
  difference,
}));

describe('RP-3 published worked examples', () => {
  it('Fisher: of 32,768 sign patterns 1,726 have a sum of 314 or more, either way', () => {
    const tested = { kind: 'tested', method: 'exact', p: 1726 / 32768, smallest_p: 2 / 32768, could_reach_alpha: true };
    expect(clusterSignFlip(MAIZE, OPTIONS)).toMatchObject({ ...tested, units: 15, differing_units: 15 });
    expect(questionPermutation(MAIZE, OPTIONS)).toMatchObject(tested);
  });

  it('Fisher: t 2.148 on 14 degrees of freedom, just past the five per cent point of 2.145', () => {
    const found = newConversations(MAIZE, 0.05);
    if (found.kind !== 'estimated') throw new Error(found.kind);
    expect(found.estimate).toBeCloseTo(314 / 15, 12);
    expect(found.t).toBeCloseTo(2.148, 3);
    expect(found.degrees_of_freedom).toBe(14);
    expect(found.p).toBeCloseTo(0.0497, 4);
    expect(criticalT(0.05, 14)).toBeCloseTo(2.145, 3);
  });

  it.each([['these', theseConversations] as const, ['new', newConversations] as const])(
    'Student: the sleep data, t 4.0621, p 0.002833, from 0.7001142 to 2.4598858 (%s conversations, one question each)',
    (_name, interval) => {
      const found = interval(SLEEP, 0.05);
      if (found.kind !== 'estimated') throw new Error(found.kind);
      expect(found.t).toBeCloseTo(4.0621, 4);
      expect(found.p).toBeCloseTo(0.002833, 6);
      expect(found.lo).toBeCloseTo(0.7001142, 7);
      expect(found.hi).toBeCloseTo(2.4598858, 7);
    },
  );

  it('Fay (2010, exact2x2): 9 against 2 disagreeing, exact p 0.06543', () => {
    const pair = (base: number, head: number) => ({
      conversation: 'c',
      question: 'q',
      base,
      head,
      difference: head - base,
    });
    const pairs = [
      ...Array.from({ length: 21 }, () => pair(1, 1)),
      ...Array.from({ length: 9 }, () => pair(1, 0)),
      ...Array.from({ length: 2 }, () => pair(0, 1)),
      ...Array.from({ length: 12 }, () => pair(0, 0)),
    ];
    const found = mcnemar(pairs);
    if (found.kind !== 'tested') throw new Error(found.kind);
    expect([found.only_base_correct, found.only_head_correct]).toEqual([9, 2]);
    expect(found.p).toBeCloseTo(134 / 2048, 12);
    expect(found.smallest_p).toBeCloseTo(2 / 2048, 12);
  });

  it('Holm (1979): 0.01, 0.04, 0.03 and 0.005 become 0.03, 0.06, 0.06 and 0.02, by hand from the definition', () => {
    const planned = [0.01, 0.04, 0.03, 0.005].map((p, index) => ({ id: `${index}`, p }));
    expect(holm(planned).map(({ adjusted_p }) => adjusted_p?.toFixed(12))).toEqual(
      [0.03, 0.06, 0.06, 0.02].map((p) => p.toFixed(12)),
    );
  });
});
