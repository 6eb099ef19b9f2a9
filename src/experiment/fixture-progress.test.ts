import { describe, expect, it } from 'vitest';
import { manualClock } from '../core/clock.js';
import type { PostgresServer, ScratchDatabase } from '../postgres/postgres.js';
import { DatabaseTally, expectedDatabases } from './database-tally.js';
import type { RunEvent } from './experiment.js';
import { FixtureProgress } from './fixture-progress.js';
import { type Session, tell } from './session.js';

function session(clock = manualClock()): { session: Session; told: RunEvent[] } {
  const told: RunEvent[] = [];
  const ledger = { totals: () => ({ spent_nano_usd: 0n, held_nano_usd: 0n }) };
  return { session: { clock, ledger, progress: (event: RunEvent) => told.push(event) } as unknown as Session, told };
}

describe('CL-1 FX-4 progress of many fixtures', () => {
  it('is told by fixtures, with what is left at the pace so far; within them recordings and notes alone', () => {
    const clock = manualClock();
    const { session: outer, told } = session(clock);
    const progress = new FixtureProgress(outer, 500);
    tell(progress.within, 'q1: asking', 1, 2);
    tell(progress.within, 'recording q1', 1, 2);
    progress.within.progress({ kind: 'note', text: 'hello' });
    clock.advance(2000);
    progress.finished();
    expect(told).toEqual([
      expect.objectContaining({ stage: 'recording q1' }),
      { kind: 'note', text: 'hello' },
      expect.objectContaining({ stage: 'fixtures', done: 1, total: 500, remaining_ms: 998_000 }),
    ]);
  });

  it('of a few is told within each, and not by fixtures', () => {
    const { session: outer, told } = session();
    const progress = new FixtureProgress(outer, 2);
    tell(progress.within, 'q1: asking', 1, 2);
    progress.finished();
    expect(told).toEqual([expect.objectContaining({ stage: 'q1: asking', remaining_ms: null })]);
  });
});

describe('PG-2 what scratch databases cost', () => {
  it('is counted, with how long they were waited for', async () => {
    const clock = manualClock();
    const inner = {
      createScratch: async () => {
        clock.advance(150);
        return {} as ScratchDatabase;
      },
    } as unknown as PostgresServer;
    const tally = new DatabaseTally(inner, clock);
    expect(tally.told).toBeNull();
    for (let made = 0; made < 1000; made += 1) await tally.server.createScratch([]);
    expect(tally.told).toBe('scratch databases: 1000 made; cells waited 3 min for them, in sum');
    expect(expectedDatabases(1000)).toContain(
      '1000, one a cell and one a recording; to make and drop them takes about 100 s to 5 min',
    );
  });
});
