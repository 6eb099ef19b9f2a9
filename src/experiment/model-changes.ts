import type { LoadedMatrix } from '../matrix/matrix.js';
import type { ArmResult, FormationResult, ModelChange } from './experiment.js';

/** The models that reported more than one name within a run, over all fixtures and arms (PR-4). */
export function modelChanges(
  loaded: LoadedMatrix,
  formation: readonly FormationResult[],
  arms: readonly ArmResult[],
): ModelChange[] {
  const { matrix } = loaded;
  const changes: ModelChange[] = [];
  const note = (
    stage: ModelChange['stage'],
    requested: string,
    parts: readonly (FormationResult | ArmResult)[],
  ): void => {
    const reported = unique(parts.flatMap(({ reported_models }) => reported_models));
    if (reported.length > 1) changes.push({ stage, requested, reported });
  };
  if (matrix.formation !== null) note('formation', matrix.formation.profile.model, formation);
  note('reader', matrix.reader.model, arms);
  return changes;
}

/** Each text once, in the order of its first use. */
export function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
