import type { Clock } from '../../../core/clock.js';
import { interrupted } from '../../../core/errors.js';
import type { PreparationOutcome } from '../../../memory/query-preparation/query-preparation.js';

/**
 * How long a slot that another process holds is waited for (SQ-9): a reservation that was left behind lives for fifteen seconds, so a
 * killed process is outwaited.
 */
export const SLOT_WAIT = { most_ms: 20_000, poll_ms: 1_000 } as const;

/**
 * Tries a preparation again while the owner's slot is taken: a refusal reserves nothing and sends nothing, so no send is repeated.
 *
 * @param onWait told once, where it has to wait.
 * @returns the outcomes; with `refused:slot` where the slot was not free within the bound.
 * @throws kind `interrupted` once the signal is aborted, and what the preparation throws.
 */
export async function waitingForSlot(
  prepare: () => Promise<readonly PreparationOutcome[]>,
  clock: Clock,
  signal: AbortSignal,
  onWait: () => void,
): Promise<readonly PreparationOutcome[]> {
  const until = clock.monotonicMs() + SLOT_WAIT.most_ms;
  for (let tries = 1; ; tries += 1) {
    const outcomes = await prepare();
    const rest = until - clock.monotonicMs();
    if (rest <= 0 || !outcomes.includes('refused:slot')) return outcomes;
    if (tries === 1) onWait();
    await clock.sleep(Math.min(SLOT_WAIT.poll_ms, rest), signal).catch(() => {});
    if (signal.aborted) throw interrupted('the run was interrupted while the slot of its owner was waited for');
  }
}
