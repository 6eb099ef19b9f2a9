import type { Label } from '../../fixture/label.js';
import type { ArmSettings } from '../../matrix/matrix.js';
import type { ScoredRow, Scorer } from '../../scoring/scoring.js';
import { isOtherSystem, ranks } from '../arm-needs.js';
import type { Observation } from '../asking/observation.js';
import { rankedSources, scoresOf } from '../asking/score-asked.js';

/** Scores by the user's own modules (RT-6). */
export type ModuleScores = (row: ScoredRow) => Promise<{ readonly [scorer: string]: number | null }>;

/**
 * A stored row with the scores that its answer and its ranking have by these scorers and this label, as asking gave them; judges come after.
 *
 * @throws what a scorer module throws of an answered row.
 */
export async function scoreRow(
  row: Observation,
  arm: ArmSettings,
  label: Label,
  scorers: readonly Scorer[],
  byModules: ModuleScores,
): Promise<Observation> {
  const scored = storedRow(row, arm, label);
  const isAnswered = row.outcome.kind === 'answered';
  // A failed row asks modules only whether they apply; one that fails does not (OB-4).
  const modules = isAnswered ? await byModules(scored) : await byModules(scored).catch(() => ({}));
  const { category, answerable } = label;
  return { ...row, category, answerable, ...scoresOf(scored, isAnswered, scorers, modules) };
}

/** A stored row as scorers see it: the same as when it was asked. */
export function storedRow(row: Observation, arm: ArmSettings, label: Label): ScoredRow {
  // Another system's answer that came without a ranking has none to be scored.
  const isGiven = isOtherSystem(arm) && row.request === null && row.answer !== null;
  const isGivenAlone = isGiven && row.effective_strategy === null;
  return {
    label,
    answer: row.answer ?? '',
    abstained: row.abstained ?? false,
    ranked_sources: ranks(arm) && !isGivenAlone ? rankedSources(row.retrieved) : null,
  };
}
