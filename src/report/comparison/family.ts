import { holm } from '../statistics/statistics.js';
import type { ContrastNumbers } from './contrast.js';

/** A contrast, and whether it was planned before there was anything to look at. */
export interface FamilyMember {
  readonly numbers: ContrastNumbers;
  readonly planned: boolean;
}

/** What its p is among all that were planned; of one that was not, its own. */
export interface Adjusted {
  /** Failures as 0. Null where it could not be tested. */
  readonly as_zero: number | null;
  readonly left_out: number | null;
}

/**
 * Holm's adjustment over the planned contrasts of all datasets together (RP-3, MX-8), those that could not be tested counted too: whichever dataset a false
 * finding is of, it is one. By each of OB-4's two means on its own, since each is a whole analysis.
 */
export function adjustFamily<Member extends FamilyMember>(members: readonly Member[]): Map<Member, Adjusted> {
  const planned = members.filter((member) => member.planned);
  const adjusted = (mean: 'as_zero' | 'left_out') =>
    holm(planned.map(({ numbers }, index) => ({ id: `${index}`, p: numbers.tests[mean].p })));
  const [asZero, leftOut] = [adjusted('as_zero'), adjusted('left_out')];
  return new Map(
    members.map((member) => {
      const index = planned.indexOf(member);
      const { tests } = member.numbers;
      return [
        member,
        index < 0
          ? { as_zero: tests.as_zero.p, left_out: tests.left_out.p }
          : { as_zero: asZero[index]?.adjusted_p ?? null, left_out: leftOut[index]?.adjusted_p ?? null },
      ];
    }),
  );
}
