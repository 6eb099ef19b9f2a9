import { isRanked } from '../comparison/ranked-arms.js';
import type { ArmFigures, DatasetFigures } from '../figures/figures.js';
import type { ReportModel } from './report-model.js';

/** The names of the arms that may be called best. */
export function rankedArms({ result }: ReportModel): ReadonlySet<string> {
  return new Set(result.arms.filter(isRanked).map(({ arm }) => arm));
}

/** Ranked arms in the matrix's order, then those that are not. */
export function orderedArms(model: ReportModel, { arms }: DatasetFigures): ArmFigures[] {
  const ranked = rankedArms(model);
  return [...arms.filter(({ arm }) => ranked.has(arm)), ...arms.filter(({ arm }) => !ranked.has(arm))];
}

/** The place of the first arm that is not ranked: below a rule. */
export function ruleAt(model: ReportModel, arms: readonly ArmFigures[]): number {
  const ranked = rankedArms(model);
  return arms.findIndex(({ arm }) => !ranked.has(arm));
}
