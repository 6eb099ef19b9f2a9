import type { Digest } from '../../core/digest.js';
import { firstDifference } from '../../parity/compare-states.js';
import type { CellOutcome } from '../cell-outcome.js';
import type { LiveState } from '../experiment.js';
import { jsonAmount } from '../summary/amounts.js';

/** What each arm of a fixture formed live (an arm that is another system's formed nothing), compared with the first arm that has a state: formation's own variability (FB-16). */
export function liveStates(outcomes: readonly CellOutcome[]): LiveState[] {
  const first = outcomes.find(({ live_state }) => live_state !== null);
  return outcomes
    .filter(({ parity }) => parity !== 'not-applicable')
    .map(({ arm, live_state, formation }) => {
      const difference =
        live_state === null || first?.live_state == null
          ? null
          : firstDifference(first.live_state.state, live_state.state);
      return {
        arm,
        calls: formation.calls,
        actual_nano_usd: jsonAmount(formation.actual_nano_usd),
        state: live_state?.digest ?? null,
        beliefs: live_state?.beliefs ?? null,
        people: live_state?.people ?? null,
        differs_from: difference === null || first === undefined ? null : first.arm,
        difference,
      };
    });
}

/** The state that all cells have; null where they differ, or one has none. */
export function commonState(states: readonly LiveState[] | null): Digest | null {
  const [digest, ...others] = new Set(states?.map(({ state }) => state));
  return others.length > 0 ? null : (digest ?? null);
}
