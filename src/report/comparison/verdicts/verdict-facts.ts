import type { SmallestDetectable } from '../../statistics/statistics.js';
import type { Adjusted } from '../family.js';

/** What a verdict is given by, beside the numbers. */
export interface VerdictFacts {
  readonly adjusted: Adjusted;
  readonly planned: boolean;
  /** Of either side, after its answers: whatever was planned is exploratory then. */
  readonly labels_changed: boolean;
  /** Planned contrasts, over all datasets. */
  readonly family: number;
  readonly alpha: number;
  readonly smallest_detectable: SmallestDetectable;
  readonly kind: 'two-runs' | 'within-run';
  /** Arms of the two that are references: told for scale, never ranked (RT-2). */
  readonly references: readonly string[];
  /** What differs, was not meant to, and is no ruler. */
  readonly confounders: readonly string[];
  /** Rulers that differ: labels, scorers, judge. */
  readonly measures: readonly string[];
  readonly formation_differs: boolean;
  /** Questions that lessons were learnt from, left out (LE-6). */
  readonly in_sample: number;
}
