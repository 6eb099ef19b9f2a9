import type { ArmResult } from '../../../experiment/experiment.js';
import { isForScale } from '../ranked-arms.js';

/** Arms whose mean context differs by more than a tenth from the others' (RT-4), in a sentence; null where none does. */
export function unequalContext(arms: readonly ArmResult[]): string | null {
  const ranked = arms.filter(
    (arm) => !isForScale(arm) && arm.context_tokens.mean !== null && arm.context_tokens.mean > 0,
  );
  const means = ranked.map((arm) => arm.context_tokens.mean as number).sort((a, b) => a - b);
  const median = means[Math.floor(means.length / 2)];
  if (median === undefined) return null;
  const far = ranked.filter((arm) => Math.abs((arm.context_tokens.mean as number) - median) > median / 10);
  if (far.length === 0) return null;
  const listed = far.map((arm) => `${arm.arm} ${Math.round(arm.context_tokens.mean as number)}`).join(', ');
  return `Mean context differs by more than a tenth from the median arm's ${Math.round(median)} tokens: ${listed}.`;
}
