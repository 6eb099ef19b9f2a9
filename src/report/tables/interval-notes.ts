import type { ArmResult, RunResult } from '../../experiment/experiment.js';
import { fewConversationsNotes } from '../few-conversations.js';
import { showConfidence } from '../number-text.js';

/** What the scores of the table are, and how far their intervals can be trusted (RP-3). */
export function intervalNotes({ arms, analysis: { primary, alpha } }: RunResult): string[] {
  return [
    `score: ${primary}, the mean over questions, with its ${showConfidence(alpha)} interval for new conversations; tokens: of the median context; cost: attributed, as if each arm had formed alone`,
    ...fewConversationsNotes(clustersOf(arms, primary)),
    ...missingNotes(arms, primary),
  ];
}

function clustersOf(arms: readonly ArmResult[], primary: string): number[] {
  return arms.flatMap(({ score_details: { [primary]: detail } }) =>
    detail === undefined || detail.lo === null ? [] : [detail.clusters],
  );
}

/** Why scores have no interval; of one reason, the arms together. */
function missingNotes(arms: readonly ArmResult[], primary: string): string[] {
  const byReason = new Map<string, string[]>();
  for (const { arm, score_details } of arms) {
    const detail = score_details[primary];
    if (detail === undefined || detail.lo !== null) continue;
    byReason.set(detail.method, [...(byReason.get(detail.method) ?? []), arm]);
  }
  return [...byReason].map(([reason, names]) =>
    names.length === arms.length ? reason : `${names.join(', ')}: ${reason}`,
  );
}
