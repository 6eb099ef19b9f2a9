import { counted } from '../../core/counted.js';
import type { ArmResult, RunResult } from '../../experiment/experiment.js';
import { showConfidence } from '../number-text.js';

/** With fewer conversations, an interval's own width is mostly chance: its error has three degrees of freedom at most. */
const FEW_CONVERSATIONS = 5;

/** What the scores of the table are, and how far their intervals can be trusted (RP-3). */
export function intervalNotes({ arms, analysis: { primary, alpha } }: RunResult): string[] {
  return [
    `score: ${primary}, the mean over questions, with its ${showConfidence(alpha)} interval for new conversations; tokens: of the median context; cost: attributed, as if each arm had formed alone`,
    ...fewNotes(arms, primary),
    ...missingNotes(arms, primary),
  ];
}

function fewNotes(arms: readonly ArmResult[], primary: string): string[] {
  const clusters = arms.flatMap(({ score_details: { [primary]: detail } }) =>
    detail === undefined || detail.lo === null ? [] : [detail.clusters],
  );
  const fewest = Math.min(...clusters);
  if (clusters.length === 0 || fewest >= FEW_CONVERSATIONS) return [];
  return [
    `With ${counted(fewest, 'conversation')} an interval's own width is mostly chance: a narrow one proves nothing.`,
  ];
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
