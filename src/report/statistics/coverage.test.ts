import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../core/random.js';
import { normalQuantile } from '../../scoring/judge/normal-quantile.js';
import { clusterBootstrap } from './cluster-bootstrap.js';
import type { Difference } from './conversation-sums.js';
import { newConversations } from './new-conversations.js';

/*
 * The design: G conversations of 8, 10, 12, 9, 11, 8, … questions; a question's difference is 0.05 + an effect of its conversation, normal with a
 * standard deviation of 0.15, + its own noise, normal with one of 0.40 (so that two questions of one conversation correlate by 0.12).
 * 2,000 trials each. The bootstrap takes 199 draws here, not 10,000, so that the test takes about a second.
 */
const TRIALS = 2000;
const LENGTHS = [8, 10, 12, 9, 11];
const TRUTH = 0.05;
const DRAWS = 199;

function trial(conversations: number, seed: string): Difference[] {
  const random = seededRandom(seed);
  const normal = (): number => normalQuantile(random.integer(1, 999_999) / 1_000_000);
  return Array.from({ length: conversations }, (_, index) => {
    const effect = 0.15 * normal();
    return Array.from({ length: LENGTHS[index % LENGTHS.length] as number }, () => ({
      conversation: `c${index}`,
      difference: TRUTH + effect + 0.4 * normal(),
    }));
  }).flat();
}

function coverage(conversations: number): { t: number; bootstrap: number } {
  const covered = { t: 0, bootstrap: 0 };
  for (let index = 0; index < TRIALS; index += 1) {
    const rows = trial(conversations, `${conversations} conversations, trial ${index}`);
    const [t, bootstrap] = [
      newConversations(rows, 0.05),
      clusterBootstrap(rows, { alpha: 0.05, seed: `${index}`, draws: DRAWS }),
    ];
    if (t.kind !== 'estimated' || bootstrap.kind !== 'estimated') throw new Error(`${t.kind} ${bootstrap.kind}`);
    if (t.lo <= TRUTH && TRUTH <= t.hi) covered.t += 1;
    if (bootstrap.lo <= TRUTH && TRUTH <= bootstrap.hi) covered.bootstrap += 1;
  }
  return { t: covered.t / TRIALS, bootstrap: covered.bootstrap / TRIALS };
}

describe('RP-3 coverage of the 95 % interval for new conversations', () => {
  // By 1,000 draws, with other seeds, the bootstrap covers 0.841, 0.896 and 0.942: too narrow, the more so the fewer the conversations. Hence a diagnostic alone.
  it.each([
    { conversations: 5, t: 0.951, bootstrap: 0.828 },
    { conversations: 10, t: 0.9425, bootstrap: 0.8865 },
    { conversations: 30, t: 0.9505, bootstrap: 0.926 },
  ])('$conversations conversations: t $t, the bootstrap beside it $bootstrap', ({ conversations, t, bootstrap }) => {
    const found = coverage(conversations);
    expect(found.t).toBeGreaterThan(0.93);
    expect(found.t).toBeLessThan(0.97);
    // The sequences are seeded: what is left to differ is a logarithm's last bit.
    expect(Math.abs(found.t - t)).toBeLessThan(0.002);
    expect(Math.abs(found.bootstrap - bootstrap)).toBeLessThan(0.002);
  });
});
