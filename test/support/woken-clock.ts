import { type Clock, manualClock } from '../../src/core/clock.js';

/** A manual clock whose sleepers stay asleep until it is advanced to their time, one after another. */
export function wokenClock(
  startIso?: string,
): Clock & { advance(ms: number): Promise<void>; readonly sleepers: number } {
  const clock = manualClock(startIso);
  const sleepers = new Set<{ readonly until: number; wake(): void }>();
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const sleeper = {
        until: clock.monotonicMs() + ms,
        wake: () => {
          sleepers.delete(sleeper);
          resolve();
        },
      };
      sleepers.add(sleeper);
      signal?.addEventListener('abort', () => {
        sleepers.delete(sleeper);
        reject(signal.reason);
      });
    });
  return {
    ...clock,
    sleep,
    get sleepers() {
      return sleepers.size;
    },
    advance: async (ms) => {
      const end = clock.monotonicMs() + ms;
      for (;;) {
        await settled();
        const next = [...sleepers].sort((a, b) => a.until - b.until)[0];
        if (next === undefined || next.until > end) break;
        clock.advance(next.until - clock.monotonicMs());
        next.wake();
      }
      clock.advance(end - clock.monotonicMs());
      await settled();
    },
  };
}

/** Lets everything that waits for nothing but its turn come to rest. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
