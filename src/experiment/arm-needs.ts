import { type ArmSettings, ranksItems, scoresVectors } from '../matrix/matrix.js';

/** Whether an arm reads what formation made, and so is charged its share of it (OB-2). */
export function readsBeliefs(arm: ArmSettings): boolean {
  return arm.retrieval.unit === 'beliefs' && arm.retrieval.strategy !== 'none';
}

/** Whether an arm's retrieval gives a ranking, so that it is scored as one. */
export function ranks(arm: ArmSettings): boolean {
  return ranksItems(arm.retrieval.strategy);
}

/** Whether an arm is another system's: it has no formation of ours, and none to be equal to (RT-7, FB-17). */
export function isOtherSystem(arm: ArmSettings): boolean {
  return arm.retrieval.strategy === 'file';
}

/** Whether an arm looks its query's vector up: also where nothing is prepared, and every lookup misses. */
export function looksVectorsUp(arm: ArmSettings): boolean {
  return scoresVectors(arm.retrieval.strategy);
}

/** Whether an arm scores vectors: of its items, and of the query, which is prepared. One that is off needs neither (SQ-2). */
export function usesVectors(arm: ArmSettings): boolean {
  return looksVectorsUp(arm) && arm.query_preparation !== 'off';
}

/** Whether an arm looks the questions' own vectors up: not where its reader makes up the queries (RT-8). */
export function looksQuestionsUp(arm: ArmSettings): boolean {
  return usesVectors(arm) && arm.recall !== 'deliberate';
}

/** Whether an arm's reader makes up queries whose vectors are prepared when they are asked (RT-8). */
export function searchesVectors(arm: ArmSettings): boolean {
  return arm.recall === 'deliberate' && usesVectors(arm);
}
