import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../core/random.js';
import { type Difference, newConversations, theseConversations } from '../../statistics/statistics.js';
import { parseCondition } from './condition.js';
import { gateOutcome } from './outcome.js';

const TRIALS = 2000;
const ALPHA = 0.05;
/** Of TRIALS at a rate of ALPHA more come by chance once in a thousand: 100 + 3.09 standard deviations of 9.75. */
const AT_MOST = 131;

/** Nights of `conversations` of twelve questions each, whose true difference is `truth`. */
function alarms(scope: 'new' | 'these', conversations: number, truth: number, between: number): number {
  const random = seededRandom(`gate rate ${scope} ${conversations} ${truth} ${between}`);
  // Near enough to normal: of a variance of 1.
  const normal = (): number => (unit() + unit() + unit() + unit() - 2) * Math.sqrt(3);
  const condition = parseCondition('token-f1 < -0.02');
  let count = 0;
  for (let trial = 0; trial < TRIALS; trial += 1) {
    const differences: Difference[] = Array.from({ length: conversations }, (_, conversation) => {
      const own = between * normal();
      return Array.from({ length: 12 }, () => ({
        conversation: `c${conversation}`,
        difference: truth + own + 0.4 * normal(),
      }));
    }).flat();
    const found = scope === 'new' ? newConversations(differences, ALPHA) : theseConversations(differences, ALPHA);
    const units = scope === 'new' ? conversations : differences.length;
    if (gateOutcome(condition, found, ALPHA, units).outcome === 'regression') count += 1;
  }
  return count;

  function unit(): number {
    return random.integer(0, 1_000_000) / 1_000_000;
  }
}

describe('RP-4 how often a gate of alpha 0.05 fails, of 2,000 simulated nights', () => {
  it.each([
    ['new', 5, 0.15],
    ['new', 10, 0.15],
    ['these', 3, 0],
    ['these', 10, 0],
  ] as const)(
    'RP-4 with a true difference on the threshold at most one in twenty: %s, %i conversations',
    (scope, conversations, between) => {
      const seen = alarms(scope, conversations, -0.02, between);
      expect(seen).toBeLessThanOrEqual(AT_MOST);
      // The rate is used, not merely kept: a gate that never fails would keep it too.
      expect(seen).toBeGreaterThan(50);
    },
  );

  it('RP-4 where nothing changed, fewer; where much fell, nearly always', () => {
    expect(alarms('these', 10, 0, 0)).toBeLessThan(AT_MOST);
    expect(alarms('these', 10, -0.25, 0)).toBeGreaterThan(0.99 * TRIALS);
    expect(alarms('new', 10, -0.4, 0.15)).toBeGreaterThan(0.95 * TRIALS);
  });
});
