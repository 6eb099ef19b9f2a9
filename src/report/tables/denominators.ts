import { counted } from '../../core/counted.js';
import type { ArmResult } from '../../experiment/experiment.js';

/** How many rows are in each score's mean, in each arm (OB-4): scores that are alike in that share a line. */
export function denominators(arms: readonly ArmResult[]): string[] {
  const byCounts = new Map<string, string[]>();
  for (const scorer of Object.keys(arms[0]?.score_details ?? {})) {
    const counts = countsOf(arms, scorer);
    byCounts.set(counts, [...(byCounts.get(counts) ?? []), scorer]);
  }
  return [...byCounts].map(([counts, scorers]) => `${counts}: ${scorers.join(', ')}`);
}

function countsOf(arms: readonly ArmResult[], scorer: string): string {
  const counts = new Map<number, string[]>();
  for (const { arm, score_details } of arms) {
    const n = score_details[scorer]?.n ?? 0;
    counts.set(n, [...(counts.get(n) ?? []), arm]);
  }
  const most = [...counts].sort(([one], [other]) => other - one);
  return most.map(([n, names]) => `n=${n}${counts.size === 1 ? '' : ` (${names.join(', ')})`}`).join('; ');
}

/** How many rows were answered, and what became of the others, where there are others (OB-4). */
export function answeredNotes(arms: readonly ArmResult[]): string[] {
  return arms
    .filter(({ answered, questions }) => answered < questions)
    .map(({ arm, answered, questions, failed, lost }) => {
      const rest = questions - answered - failed - lost;
      const parts = [
        ...(failed > 0 ? [`${failed} failed by its own making (0 in the mean)`] : []),
        ...(lost > 0 ? [`${lost} lost to the provider or the budget (in no mean)`] : []),
        ...(rest > 0 ? [`${rest} not asked`] : []),
      ];
      return `${arm}: ${answered} of ${counted(questions, 'row')} answered, ${parts.join(', ')}`;
    });
}
