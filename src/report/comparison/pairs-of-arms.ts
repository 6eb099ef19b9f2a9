import { invalidInput } from '../../core/errors.js';
import type { RunRecord } from '../../experiment/run-record.js';
import { type ArmOfRun, armOfRun, isComparedByDefault } from './arm-of-run.js';
import type { CompareOptions } from './compare-options.js';

/** Two arms to be compared. */
export interface ArmPair {
  readonly base: ArmOfRun;
  readonly head: ArmOfRun;
  /** Fixed before either run began: of the family that Holm's adjustment is over, by the primary scorer. */
  readonly planned: boolean;
  /** Whether it was asked for: one that is planned, and not asked for, still counts in the family. */
  readonly shown: boolean;
}

/** The arms of what is shown, each once. */
export function shownArms(pairs: readonly ArmPair[]): ArmOfRun[] {
  const sides = pairs.filter(({ shown }) => shown).flatMap(({ base, head }) => [base, head]);
  return sides.filter(
    ({ record, result }, index) =>
      sides.findIndex((one) => one.record === record && one.result.arm === result.arm) === index,
  );
}

type Asked = Pick<CompareOptions, 'arm' | 'against'>;

/**
 * The pairs of one run (MX-8): what its matrix planned, and every other arm against the baseline, exploratory. A pair that is asked for the other way
 * round is the planned one.
 *
 * @throws exit 2: `COMPARE_UNKNOWN_ARM`, `COMPARE_ARM_NOT_NAMED`, `COMPARE_ARM_WITH_ITSELF`, `COMPARE_NOTHING`.
 */
export function pairsWithinRun(record: RunRecord, asked: Asked): ArmPair[] {
  const { analysis, arms, baseline } = record.matrix;
  const pair = (head: string, base: string, planned: boolean, shown: boolean): ArmPair => ({
    ...{ base: armOfRun(record, base), head: armOfRun(record, head), planned, shown },
  });
  const wanted = wantedWithin(record, asked);
  if (wanted !== null) {
    const isIt = (one: string, other: string): boolean => one === wanted.head && other === wanted.base;
    const planned = analysis.contrasts.map(([head, base]) =>
      isIt(head, base) || isIt(base, head) ? pair(wanted.head, wanted.base, true, true) : pair(head, base, true, false),
    );
    return planned.some(({ shown }) => shown) ? planned : [pair(wanted.head, wanted.base, false, true)];
  }
  const planned = analysis.contrasts.map(([head, base]) => pair(head, base, true, true));
  const isPlanned = (name: string): boolean =>
    analysis.contrasts.some((contrast) => contrast.includes(name) && contrast.includes(baseline as string));
  const others = arms.filter((arm) => isComparedByDefault(arm) && arm.name !== baseline && !isPlanned(arm.name));
  const exploratory = baseline === null ? [] : others.map(({ name }) => pair(name, baseline, false, true));
  return some([...planned, ...exploratory], `${record.run} plans no contrast, and has no other arm beside a baseline`);
}

function wantedWithin(record: RunRecord, { arm, against }: Asked): { head: string; base: string } | null {
  const base = against ?? record.matrix.baseline;
  if (arm === null && against === null) return null;
  if (arm === null || base === null) throw notNamed(arm === null ? '--against' : '--arm', arm === null);
  if (arm === base)
    throw invalidInput('COMPARE_ARM_WITH_ITSELF', `within ${record.run}, ${arm} differs from itself in nothing`, {
      remedy: 'name another arm with --against; how much one arm differs from run to run, `run --aa` shows',
    });
  return { head: arm, base };
}

/**
 * The pairs of two runs: each arm that both have, against itself. What base and head are was settled before either was looked at, so where both matrices plan
 * by the same primary scorer these pairs are a plan. An arm against another of another run is in nobody's.
 *
 * @throws exit 2: `COMPARE_UNKNOWN_ARM`, `COMPARE_ARM_NOT_NAMED`, `COMPARE_NOTHING`.
 */
export function pairsBetweenRuns(base: RunRecord, head: RunRecord, { arm, against }: Asked): ArmPair[] {
  if (arm === null && against !== null) throw notNamed('--against', true);
  const isPlan = base.matrix.analysis.primary === head.matrix.analysis.primary;
  const common = head.matrix.arms.filter(
    (one) =>
      isComparedByDefault(one) && base.matrix.arms.some(({ name, reference }) => name === one.name && !reference),
  );
  const same = common.map(({ name }) => ({
    base: armOfRun(base, name),
    head: armOfRun(head, name),
    planned: isPlan,
    shown: arm === null || (arm === name && (against ?? arm) === name),
  }));
  if (arm === null) return some(same, `${base.run} and ${head.run} have no arm in common`);
  if (same.some(({ shown }) => shown)) return same;
  return [{ base: armOfRun(base, against ?? arm), head: armOfRun(head, arm), planned: false, shown: true }];
}

function some(pairs: ArmPair[], why: string): ArmPair[] {
  if (pairs.length > 0) return pairs;
  throw invalidInput('COMPARE_NOTHING', `there is nothing to compare: ${why}`, {
    remedy: 'name two arms with --arm and --against',
  });
}

function notNamed(flag: string, isAgainst: boolean): Error {
  return invalidInput('COMPARE_ARM_NOT_NAMED', `${flag} names one arm, and nothing says what it is compared with`, {
    remedy: isAgainst ? 'name the arm of head with --arm' : 'name the arm of base with --against',
  });
}
