import type { LoadedMatrix } from '../../matrix/matrix.js';
import type { ArmResult, FormationResult, JudgingResult, ModelChange } from '../experiment.js';

/** The models that reported more than one name within a run, over all fixtures and arms (PR-4). */
export function modelChanges(
  loaded: LoadedMatrix,
  formation: readonly FormationResult[],
  arms: readonly ArmResult[],
  judging: JudgingResult | null = null,
): ModelChange[] {
  const { matrix } = loaded;
  const changes: ModelChange[] = [];
  const note = (
    stage: ModelChange['stage'],
    requested: string,
    parts: readonly { readonly reported_models: readonly string[] }[],
  ): void => {
    const reported = unique(parts.flatMap(({ reported_models }) => reported_models));
    if (reported.length > 1) changes.push({ stage, requested, reported });
  };
  if (matrix.formation !== null) note('formation', matrix.formation.profile.model, formation);
  note('reader', matrix.reader.model, arms);
  for (const judge of judging?.judges ?? []) note('judge', judge.model, [judge]);
  return changes;
}

/** Each text once, in the order of its first use. */
export function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
