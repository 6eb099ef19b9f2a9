/** Time, handed in so that tests and replays can fix it. Nothing outside this file asks the machine. */
export interface Clock {
  /** The present as an ISO 8601 instant in UTC, with milliseconds. For records about a run, never for a request. */
  now(): string;
  /** Milliseconds since an arbitrary start, never going back: for durations and deadlines. */
  monotonicMs(): number;
  /** Resolves after `ms` milliseconds, or rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Rings once, `ms` milliseconds from now, beside whatever else is done. @returns what calls it off. */
  alarm(ms: number, ring: () => void): () => void;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => new Date().toISOString(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const onAbort = (): void => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      }, ms);
      signal?.addEventListener('abort', onAbort, { once: true });
    }),
  alarm: (ms, ring) => {
    const timer = setTimeout(ring, ms);
    return () => clearTimeout(timer);
  },
};

/** A clock that moves only when told, for tests. `sleep` moves it and returns at once; alarms ring as it passes their time. */
export function manualClock(startIso = '2026-01-01T00:00:00.000Z'): Clock & { advance(ms: number): void } {
  let elapsed = 0;
  const start = Date.parse(startIso);
  const alarms = new Set<{ readonly due: number; ring(): void }>();
  const moveTo = (end: number): void => {
    for (;;) {
      const [next] = [...alarms].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due);
      if (next === undefined) break;
      alarms.delete(next);
      elapsed = next.due;
      next.ring();
    }
    elapsed = end;
  };
  return {
    now: () => new Date(start + elapsed).toISOString(),
    monotonicMs: () => elapsed,
    sleep: async (ms) => moveTo(elapsed + ms),
    alarm: (ms, ring) => {
      const alarm = { due: elapsed + ms, ring };
      alarms.add(alarm);
      return () => alarms.delete(alarm);
    },
    advance: (ms) => moveTo(elapsed + ms),
  };
}
