import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusterBootstrap } from './cluster-bootstrap.js';
import type { Difference } from './conversation-sums.js';
import { holm } from './holm.js';
import { newConversations } from './new-conversations.js';
import { pairedDifferences } from './paired-differences.js';
import { clusterSignFlip, questionPermutation } from './sign-flip.js';
import { criticalT, twoSidedTail } from './student-t.js';
import { theseConversations } from './these-conversations.js';

const OPTIONS = { alpha: 0.05, seed: 'properties' };
const differences = fc
  .array(
    fc.record({
      conversation: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      difference: fc.integer({ min: -100, max: 100 }),
    }),
    { maxLength: 40 },
  )
  .map((rows) =>
    rows.map(({ conversation, difference }): Difference => ({ conversation, difference: difference / 100 })),
  );
const shuffled = differences.chain((rows) =>
  fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })),
);
const everything = (rows: readonly Difference[]) => ({
  new_conversations: newConversations(rows, 0.05),
  these: theseConversations(rows, 0.05),
  sign_flip: clusterSignFlip(rows, OPTIONS),
  permutation: questionPermutation(rows.slice(0, 12), OPTIONS),
  bootstrap: clusterBootstrap(rows, { ...OPTIONS, draws: 50 }),
});

describe('RP-3 properties', () => {
  it('the order of the input changes nothing, to the last bit', () => {
    fc.assert(
      fc.property(shuffled, ([rows, other]) => {
        const order = (some: readonly Difference[]) => ({
          ...everything(some),
          permutation: questionPermutation(some, OPTIONS),
        });
        expect(order(other)).toEqual(order(rows));
      }),
      { numRuns: 40 },
    );
  });

  it('the order of scores changes no pair', () => {
    const scores = fc.uniqueArray(
      fc.record({
        ...{ conversation: fc.constantFrom('a', 'b'), question: fc.constantFrom('p', 'q', 'r') },
        ...{ replicate: fc.integer({ min: 1, max: 3 }), repeat: fc.integer({ min: 1, max: 3 }) },
        score: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constant(null)),
      }),
      { selector: ({ score: _score, ...place }) => JSON.stringify(place) },
    );
    const two = scores.chain((rows) =>
      fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })),
    );
    fc.assert(
      fc.property(two, two, ([base, otherBase], [head, otherHead]) => {
        expect(pairedDifferences(otherBase, otherHead)).toEqual(pairedDifferences(base, head));
      }),
    );
  });

  it('the arms exchanged, the estimate and the interval change sign and every p stays', () => {
    fc.assert(
      fc.property(differences, (rows) => {
        const [found, other] = [
          everything(rows),
          everything(rows.map(({ conversation, difference }) => ({ conversation, difference: -difference }))),
        ];
        expect(other.sign_flip).toEqual(found.sign_flip);
        expect(other.permutation).toEqual(found.permutation);
        for (const name of ['new_conversations', 'these'] as const) {
          const [one, mirrored] = [found[name], other[name]];
          expect(mirrored.kind).toBe(one.kind);
          if (one.kind !== 'estimated' || mirrored.kind !== 'estimated') continue;
          expect(mirrored.estimate).toBeCloseTo(-one.estimate, 12);
          expect([mirrored.lo, mirrored.hi]).toEqual([expect.closeTo(-one.hi, 10), expect.closeTo(-one.lo, 10)]);
          expect(mirrored.p).toBeCloseTo(one.p, 12);
        }
      }),
    );
  });

  it('no answer holds NaN or an infinity, no p leaves 0 to 1 or falls below the least', () => {
    fc.assert(
      fc.property(differences, (rows) => {
        const answers = everything(rows);
        for (const answer of Object.values(answers))
          for (const value of Object.values(answer))
            if (typeof value === 'number') expect(value).toSatisfy(Number.isFinite);
        for (const test of [answers.sign_flip, answers.permutation]) {
          if (test.kind !== 'tested') continue;
          expect(test.p).toBeGreaterThanOrEqual(test.smallest_p);
          expect(test.p).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('the interval leaves 0 out exactly where p is below alpha', () => {
    fc.assert(
      fc.property(differences, (rows) => {
        const found = newConversations(rows, 0.05);
        if (found.kind !== 'estimated' || Math.abs(found.p - 0.05) < 1e-9) return;
        expect(found.lo > 0 || found.hi < 0).toBe(found.p < 0.05);
      }),
    );
  });

  it('a critical value has alpha outside it', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 0.999, noNaN: true }), fc.integer({ min: 1, max: 300 }), (alpha, df) => {
        expect(Math.abs(twoSidedTail(criticalT(alpha, df), df) / alpha - 1)).toBeLessThan(1e-9);
      }),
    );
  });

  it('Holm never lowers a p, keeps their order, and adjusts a lone one by nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 8 }), (ps) => {
        const found = holm(ps.map((p, index) => ({ id: `${index}`, p }))).sort((a, b) => Number(a.p) - Number(b.p));
        const adjusted = found.map(({ adjusted_p }) => Number(adjusted_p));
        for (const { p, adjusted_p } of found) expect(Number(adjusted_p)).toBeGreaterThanOrEqual(Number(p));
        expect(adjusted).toEqual([...adjusted].sort((a, b) => a - b));
        if (ps.length === 1) expect(adjusted).toEqual(ps);
      }),
    );
  });
});
