import { counted } from '../../core/counted.js';
import { terminalLine } from '../../core/terminal-text.js';
import type { ArmResult, RunResult } from '../../experiment/experiment.js';

/** An arm's mark in the table: `!` degraded, `~` with its query preparation off (SQ-1, SQ-2). */
export function lookupMark({ degraded, lookup_misses }: ArmResult): string {
  return `${degraded ? ' !' : ''}${isOff(lookup_misses) ? ' ~' : ''}`;
}

/** What the marks mean, and of each degraded arm how many of its questions missed, and why: one line an arm. */
export function lookupNotes(arms: readonly ArmResult[]): string[] {
  const degraded = arms.filter((arm) => arm.degraded);
  return [
    ...(degraded.length > 0 ? ['! degraded: a semantic lookup missed, and sparse recall answered instead.'] : []),
    ...degraded.map(missesOf),
    ...remediesOf(degraded),
    ...(arms.some(({ lookup_misses }) => isOff(lookup_misses))
      ? ['~ query preparation is off, as the matrix says: sparse recall alone, as an experiment.']
      : []),
  ];
}

/** What became of the vectors of the run's queries, in one line; none where each has one. */
export function preparationNotes({ query_preparation: tally }: RunResult): string[] {
  if (tally === null || tally.prepared + tally.pinned === tally.queries) return [];
  const { withheld, ineligible, refused, unprepared, cache } = tally;
  const missed = Object.entries({ withheld, ineligible, refused, unprepared, cache }).flatMap(([word, counts]) => {
    const reasons = Object.entries(counts).map(([reason, count]) => `${reason} ${count}`);
    return reasons.length === 0 ? [] : [`; ${word}: ${reasons.join(', ')}`];
  });
  const { queries, prepared, pinned } = tally;
  return [
    terminalLine(
      `query preparation: ${queries} queries: ${prepared} prepared, ${pinned} pinned${missed.join('')}`,
      600,
    ),
  ];
}

/** What an owner's ledger refused, and what to do about it. */
const REFUSALS = {
  'refused:request':
    'a request could have cost more than the ceiling of one; raise `query_preparation.ceilings.request_usd` in a new run.',
  'refused:day':
    "the owner's day had no room; start a new run on another UTC day, or with a higher `query_preparation.ceilings.day_usd`. `recall-matrix ledger --embeddings` shows what was charged.",
  'refused:slot': 'another process prepared questions of this owner for too long; start a new run when it has ended.',
} as const;

/** Rows stand whatever they missed, so no resume mends them: once for all arms. */
function remediesOf(degraded: readonly ArmResult[]): string[] {
  if (degraded.length === 0) return [];
  const met = Object.entries(REFUSALS).filter(([word]) =>
    degraded.some(({ lookup_misses }) => lookup_misses[word] !== undefined),
  );
  return [
    ...met.map(([word, what]) => `${word}: ${what}`),
    'These rows stand, and a resume asks none of them again; docs/semantic-queries.md says what each word means, and what to do.',
  ];
}

function missesOf({ arm, questions, lookup_misses }: ArmResult): string {
  const misses = Object.entries(lookup_misses).filter(([miss]) => miss !== 'off');
  const missed = misses.reduce((sum, [, count]) => sum + count, 0);
  const why = misses.map(([miss, count]) => `${miss} ${count}`).join(', ');
  return terminalLine(`${arm}: ${missed} of ${counted(questions, 'question')} missed: ${why}`, 600);
}

function isOff(misses: ArmResult['lookup_misses']): boolean {
  return misses.off !== undefined;
}
