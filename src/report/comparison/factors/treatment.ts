import { invalidInput } from '../../../core/errors.js';
import type { Factor } from '../comparison.js';
import { FACTOR_KINDS, FACTOR_NAMES, type FactorName, isFactorName } from './factor-names.js';
import type { FoundFactor } from './run-factors.js';

/** What of everything that differs was meant to. */
export interface Treatment {
  /** In the order of `FACTOR_NAMES`, then as they were found. */
  readonly factors: readonly Factor[];
  /** What the treatment is taken to be; empty: nothing differs, or nobody said which. */
  readonly treatment: readonly FactorName[];
  /** Whether nobody stated it: one thing alone differs. */
  readonly is_assumed: boolean;
  /** Stated, and no different. */
  readonly idle: readonly FactorName[];
  /** What differs besides, roots alone: not what follows from another. */
  readonly confounders: readonly FactorName[];
  /** Confounders by which the two sides' scores are not on one scale. */
  readonly measures: readonly FactorName[];
}

/**
 * Divides what differs into the treatment and the rest (RP-2). The treatment is what was stated, with all that follows from it (a new formation
 * makes new banks). Where nothing was stated and one factor alone differs, with what follows from it, that one is the treatment; but never what
 * measures (labels, scorers, judge): a changed ruler has to be stated. Prices change no score, and confound none.
 *
 * @throws `COMPARE_UNKNOWN_TREATMENT` (exit 2).
 */
export function treatmentOf(found: readonly FoundFactor[], stated: readonly string[]): Treatment {
  const names = stated.map(named);
  const differing = FACTOR_NAMES.filter((name) => found.some(({ factor }) => factor === name));
  const roots = differing.filter((name) => !follows(name, differing) && FACTOR_KINDS[name].scoreless !== true);
  const [first] = roots;
  const assumed =
    names.length === 0 && roots.length === 1 && first !== undefined && FACTOR_KINDS[first].measures !== true
      ? [first]
      : [];
  const treatment = FACTOR_NAMES.filter((name) => names.includes(name) || assumed.includes(name));
  const isTreatment = (name: FactorName): boolean =>
    treatment.includes(name) || FACTOR_KINDS[name].follows.some((one) => differing.includes(one) && isTreatment(one));
  const confounders = roots.filter((name) => !isTreatment(name));
  return {
    factors: differing.flatMap((name) =>
      found.filter(({ factor }) => factor === name).map((one) => ({ ...one, is_treatment: isTreatment(name) })),
    ),
    treatment: treatment.filter((name) => differing.includes(name)),
    is_assumed: assumed.length > 0,
    idle: names.filter((name) => !differing.includes(name)),
    confounders,
    measures: confounders.filter((name) => FACTOR_KINDS[name].measures === true),
  };
}

function follows(name: FactorName, differing: readonly FactorName[]): boolean {
  return FACTOR_KINDS[name].follows.some((one) => differing.includes(one));
}

function named(name: string): FactorName {
  if (isFactorName(name)) return name;
  throw invalidInput('COMPARE_UNKNOWN_TREATMENT', `${name} is nothing that can be the treatment`, {
    remedy: `name one of: ${FACTOR_NAMES.join(', ')}`,
  });
}
