import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { clusterBootstrap } from './cluster-bootstrap.js';
import { holm } from './holm.js';
import { mcnemar } from './mcnemar.js';
import { newConversations } from './new-conversations.js';
import { clusterSignFlip, questionPermutation } from './sign-flip.js';
import { smallestDetectableDifference } from './smallest-detectable-difference.js';
import { criticalT, twoSidedTail } from './student-t.js';
import type { MeanDifference } from './t-interval.js';
import { theseConversations } from './these-conversations.js';

/** What scipy and statsmodels give for the same data; how it was made stands in reference.py beside it. */
interface Reference {
  readonly origin: Readonly<Record<string, string>>;
  readonly two_sided_tail: readonly (readonly [t: number, df: number, p: number])[];
  readonly critical: readonly (readonly [alpha: number, df: number, t: number])[];
  readonly differences: readonly { readonly conversation: string; readonly difference: number }[];
  readonly new_conversations: Readonly<Record<string, number>>;
  readonly new_conversations_first_3_of_each: Readonly<Record<string, number>>;
  readonly these_conversations: Readonly<Record<string, number>>;
  readonly cluster_sign_flip: number;
  readonly question_permutation_of_first_16: number;
  readonly bootstrap_200000: { readonly lo: number; readonly hi: number };
  readonly holm: { readonly p: readonly number[]; readonly adjusted: readonly number[] };
  readonly mcnemar: readonly (readonly [b: number, c: number, p: number])[];
  readonly smallest_detectable: readonly { readonly df: number; readonly multiple: number; readonly power: number }[];
}

const FILE = resolve(fileURLToPath(import.meta.url), '../../../../test/support/statistics/reference.json');
const REFERENCE = JSON.parse(readFileSync(FILE, 'utf8')) as Reference;
const DATA = REFERENCE.differences;
const OPTIONS = { alpha: 0.05, seed: 'reference' };

const relative = (found: number, wanted: number): number => Math.abs(found - wanted) / Math.abs(wanted);

function expectFields(found: MeanDifference, wanted: Readonly<Record<string, number>>): void {
  if (found.kind !== 'estimated') throw new Error(found.kind);
  for (const [field, value] of Object.entries(wanted))
    expect(Math.abs(found[field as 't'] - value), field).toBeLessThan(1e-9);
}

describe('RP-3 the results of scipy and statsmodels', () => {
  it('the reference has data to be held against', () => {
    expect(REFERENCE.origin).toMatchObject({ scipy: '1.10.1', statsmodels: '0.13.5+dfsg' });
    expect([DATA.length, REFERENCE.two_sided_tail.length, REFERENCE.critical.length]).toEqual([46, 66, 32]);
  });

  it("the tails of Student's t, to eleven digits far out too", () => {
    for (const [t, df, p] of REFERENCE.two_sided_tail) {
      // scipy's own tails are this exact down to the smallest doubles.
      if (p > 1e-290) expect(relative(twoSidedTail(t, df), p), `t ${t}, ${df} degrees`).toBeLessThan(1e-11);
      expect(twoSidedTail(-t, df)).toBe(twoSidedTail(t, df));
    }
    expect(twoSidedTail(0, 7)).toBe(1);
  });

  it("the critical values of Student's t", () => {
    for (const [alpha, df, t] of REFERENCE.critical)
      expect(relative(criticalT(alpha, df), t), `alpha ${alpha}, ${df} degrees`).toBeLessThan(1e-11);
  });

  it('new conversations: the regression on a constant, fitted anew by statsmodels without each conversation', () => {
    expectFields(newConversations(DATA, 0.05), REFERENCE.new_conversations);
    expect(newConversations(DATA, 0.05)).toMatchObject({ degrees_of_freedom: 6 });
  });

  it('new conversations of one length: the cluster-robust errors that statsmodels gives by itself', () => {
    const first = DATA.filter((row, index) => {
      return DATA.slice(0, index).filter(({ conversation }) => conversation === row.conversation).length < 3;
    });
    expect(first).toHaveLength(21);
    expectFields(newConversations(first, 0.05), REFERENCE.new_conversations_first_3_of_each);
  });

  it('these conversations: the t test of one sample, by question', () => {
    expectFields(theseConversations(DATA, 0.05), REFERENCE.these_conversations);
  });

  it('the sign-flip tests, every pattern counted', () => {
    expect(clusterSignFlip(DATA, OPTIONS)).toMatchObject({ method: 'exact', p: REFERENCE.cluster_sign_flip });
    const first = questionPermutation(DATA.slice(0, 16), OPTIONS);
    expect(first).toMatchObject({ method: 'exact', p: REFERENCE.question_permutation_of_first_16 });
  });

  it('the bootstrap, whose draws are others, within what 10,000 of them leave open', () => {
    const found = clusterBootstrap(DATA, OPTIONS);
    if (found.kind !== 'estimated') throw new Error(found.kind);
    expect(found.draws).toBe(10_000);
    expect(Math.abs(found.lo - REFERENCE.bootstrap_200000.lo)).toBeLessThan(0.004);
    expect(Math.abs(found.hi - REFERENCE.bootstrap_200000.hi)).toBeLessThan(0.004);
  });

  it('Holm', () => {
    const found = holm(REFERENCE.holm.p.map((p, index) => ({ id: `${index}`, p })));
    for (const [index, wanted] of REFERENCE.holm.adjusted.entries())
      expect(found[index]?.adjusted_p).toBeCloseTo(wanted, 12);
  });

  it.each(REFERENCE.mcnemar)('McNemar, exact, %d against %d', (b, c, wanted) => {
    const pairs = Array.from({ length: b + c }, (_, index) => {
      const base = index < b ? 1 : 0;
      return { conversation: 'c', question: `${index}`, base, head: 1 - base, difference: 1 - 2 * base };
    });
    const found = mcnemar(pairs);
    if (found.kind !== 'tested') throw new Error(found.kind);
    expect(relative(found.p, wanted)).toBeLessThan(1e-9);
  });

  it.each(REFERENCE.smallest_detectable)(
    'the smallest detectable difference on $df degrees: $multiple errors, by the noncentral t a power of $power',
    ({ df, multiple, power }) => {
      const found: MeanDifference = {
        ...{ kind: 'estimated', estimate: 0, standard_error: 2, degrees_of_freedom: df },
        ...{ lo: -1, hi: 1, t: 0, p: 1 },
      };
      const smallest = smallestDetectableDifference(found, { alpha: 0.05, power: 0.8 });
      if (smallest.kind !== 'estimated') throw new Error(smallest.kind);
      expect(relative(smallest.difference, 2 * multiple)).toBeLessThan(1e-11);
      expect(Math.abs(power - 0.8)).toBeLessThan(0.01);
    },
  );
});
