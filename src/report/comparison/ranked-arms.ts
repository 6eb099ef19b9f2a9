import type { ArmResult } from '../../experiment/experiment.js';

/** What is there for scale, or to show noise: never ranked (RT-1, RP-8). */
export function isForScale({ reference, aa_of }: Pick<ArmResult, 'reference' | 'aa_of'>): boolean {
  return reference || aa_of !== null;
}

/**
 * Whether an arm may be called best. References and twins never are (RT-1, RP-8), nor is what differs by more than retrieval: a degraded arm, one that
 * formed beliefs of its own (RP-2, FB-16), one that was not asked every question. Rows that failed or were lost keep no arm from it: OB-4 says how they count.
 */
export function isRanked(arm: ArmResult): boolean {
  return !isForScale(arm) && !arm.degraded && arm.parity !== 'unpaired' && isWhollyAsked(arm);
}

/** Whether every row is there, whatever became of it, and some were answered. */
export function isWhollyAsked({ status, answered, failed, lost, questions }: ArmResult): boolean {
  return status === 'complete' || (status === 'failed' && answered > 0 && answered + failed + lost === questions);
}
