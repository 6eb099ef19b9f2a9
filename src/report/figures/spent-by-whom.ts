import type { RunResult } from '../../experiment/experiment.js';

/** What the ledger spent, by what it was for, in nano-dollars. */
export interface SpentByWhom {
  /** Recording of banks. */
  readonly formation: number;
  /** Of items and of questions, for all arms together. */
  readonly vectors: number;
  /** The arms' own: readers, and beliefs that were formed live. */
  readonly arms: number;
  readonly judging: number;
  /** Booked, and in no result: a rescoring that was stopped, say. */
  readonly other: number;
}

/** Divides what was spent; the parts add up to it (LG-12). */
export function spentByWhom({ formation, arms, judging, ledger }: RunResult): SpentByWhom {
  const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
  const parts = {
    // Live formation is a part of the arms' own.
    formation: sum(formation.map((one) => (one.live_states === null ? one.actual_nano_usd : 0))),
    vectors: sum(
      formation.flatMap(({ embedding: { index, query } }) => [index.actual_nano_usd, query.actual_nano_usd]),
    ),
    arms: sum(arms.map((one) => one.actual_nano_usd)),
    judging: judging?.actual_nano_usd ?? 0,
  };
  return { ...parts, other: ledger.spent_nano_usd - sum(Object.values(parts)) };
}
