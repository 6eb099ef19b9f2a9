import type { ArmCosts } from '../experiment.js';
import { jsonAmount, sumKnown } from './amounts.js';
import type { SummaryRow } from './summary-row.js';

/** What an arm costs on its own: once, and for each further question (OB-2). Null: unknown, or unpriced. */
interface ExactCosts {
  /** Of `banks` replicates together. */
  readonly fixed: bigint;
  readonly banks: bigint;
  /** Of `questions` answered questions together. */
  readonly marginal: bigint;
  readonly questions: bigint;
}

/**
 * An arm's fixed cost (formation share and index, of one bank: the mean over replicates, rounded up), its marginal cost a question (query preparation and reader, rounded up), and the number
 * of questions from which it costs no more than full-history.
 *
 * @param fullHistory rows of the full-history arm; null where the matrix has none.
 */
export function armCosts(rows: readonly SummaryRow[], fullHistory: readonly SummaryRow[] | null): ArmCosts {
  const own = exactCosts(rows);
  if (own === null) return { fixed_nano_usd: null, marginal_nano_usd: null, break_even_questions: null };
  const against = fullHistory === null ? null : exactCosts(fullHistory);
  return {
    fixed_nano_usd: jsonAmount(roundedUp(own.fixed, own.banks)),
    marginal_nano_usd: jsonAmount(roundedUp(own.marginal, own.questions)),
    break_even_questions: against === null ? null : breakEven(own, against),
  };
}

function exactCosts(rows: readonly SummaryRow[]): ExactCosts | null {
  const answered = rows.filter((row) => row.outcome.kind === 'answered');
  if (answered.length === 0) return null;
  const sum = (some: readonly SummaryRow[], parts: readonly (keyof Omit<SummaryRow['attributed'], 'nano_usd'>)[]) =>
    sumKnown(some.flatMap((row) => parts.map((part) => known(row.attributed[part].nano_usd))));
  const fixed = sum(rows, ['formation', 'index']);
  const marginal = sum(answered, ['query', 'reader']);
  if (fixed === null || marginal === null) return null;
  const banks = new Set(rows.map(({ replicate }) => replicate)).size;
  return { fixed, banks: BigInt(banks), marginal, questions: BigInt(answered.length) };
}

function known(amount: number | null): bigint | null {
  return amount === null ? null : BigInt(amount);
}

/** The smallest n, from 1, with fixed + n × marginal no more than the other's; null where it never comes. Exact: no rate is rounded. */
function breakEven(own: ExactCosts, other: ExactCosts): number | null {
  const dearer = (own.fixed * other.banks - other.fixed * own.banks) * own.questions * other.questions;
  const savedEach = (other.marginal * own.questions - own.marginal * other.questions) * own.banks * other.banks;
  if (dearer <= savedEach) return 1;
  if (savedEach <= 0n) return null;
  return Number(roundedUp(dearer, savedEach));
}

function roundedUp(amount: bigint, parts: bigint): bigint {
  return (amount + parts - 1n) / parts;
}
