import { describe, expect, it, vi } from 'vitest';
import { useTestDatabase } from '../../../../test/support/postgres.js';
import { postgresTurns } from './process-turns.js';

const ADA = { tenant: 'lab', principal: 'ada' };
const BOB = { tenant: 'lab', principal: 'bob' };
const NEVER = new AbortController().signal;
const ignore = (): void => {};
const database = useTestDatabase([], { per: 'suite' });

/** Work that goes on until it is told to end. */
function longWork() {
  let end = ignore;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { work: () => ended, end: () => end() };
}

/** Takes a turn and holds it; resolves once it is held. */
async function held(turns = postgresTurns(database().runtime)) {
  const { work, end } = longWork();
  let done: Promise<void> = Promise.resolve();
  await new Promise<void>((resolve) => {
    done = turns.take(ADA, NEVER, ignore, () => {
      resolve();
      return work();
    });
  });
  return { end, done };
}

/** How many wait in the server for a turn. */
async function waiting(): Promise<number> {
  const { rows } = await database().admin.query<{ n: number }>(
    `select count(*)::int as n from pg_catalog.pg_locks l join pg_catalog.pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and not l.granted and d.datname = pg_catalog.current_database()`,
  );
  return rows[0]?.n ?? 0;
}

describe('SQ-9 turns of several processes at one owner', () => {
  it('SQ-9 who waits is served in the order of coming, before one that has just had its turn and comes again', async () => {
    const served: string[] = [];
    const [one, two] = [postgresTurns(database().runtime), postgresTurns(database().runtime)];
    const first = await held(one);
    const told = vi.fn();
    const second = two.take(ADA, NEVER, told, async () => served.push('the other'));
    await vi.waitFor(async () => expect(await waiting()).toBe(1));
    expect(told).toHaveBeenCalledTimes(1);
    first.end();
    await Promise.all([first.done.then(() => one.take(ADA, NEVER, ignore, async () => served.push('again'))), second]);
    expect(served).toEqual(['the other', 'again']);
  });

  it('SQ-9 another owner’s turn is no one’s to wait for', async () => {
    const first = await held();
    expect(await postgresTurns(database().runtime).take(BOB, NEVER, ignore, async () => 'at once')).toBe('at once');
    first.end();
    await first.done;
  });

  it('SQ-9 a turn that is not had in time is gone without, and a failed piece of work gives its turn up', async () => {
    const first = await held();
    const turns = postgresTurns(database().runtime, 50);
    expect(await turns.take(ADA, NEVER, ignore, async () => 'without')).toBe('without');
    first.end();
    await first.done;
    await expect(turns.take(ADA, NEVER, ignore, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    const told = vi.fn();
    // Sessions of another pool: one and the same could have the lock twice.
    await postgresTurns(database().admin, 1_000).take(ADA, NEVER, told, async () => {});
    expect(told).not.toHaveBeenCalled();
  });

  it('CL-3 SQ-9 a stop ends the wait, and the work is not begun', async () => {
    const first = await held();
    const stop = new AbortController();
    const work = vi.fn(async () => {});
    const stopped = postgresTurns(database().runtime).take(ADA, stop.signal, () => stop.abort(), work);
    await expect(stopped).rejects.toMatchObject({ kind: 'interrupted' });
    expect(work).not.toHaveBeenCalled();
    first.end();
    await first.done;
  });

  it('SQ-8 SQ-9 where its server stands still a turn is given up in bounded time, and what was prepared in it is not lost', async () => {
    const turns = postgresTurns(database().runtime, 1_000, 50);
    let pid = 0;
    const prepared = turns.take(ADA, NEVER, ignore, async () => {
      const { rows } = await database().admin.query<{ pid: number }>(
        `select l.pid from pg_catalog.pg_locks l join pg_catalog.pg_database d on d.oid = l.database
          where l.locktype = 'advisory' and l.granted and d.datname = pg_catalog.current_database()`,
      );
      pid = rows[0]!.pid;
      process.kill(pid, 'SIGSTOP');
      return 'vectors';
    });
    expect(await prepared.finally(() => process.kill(pid, 'SIGCONT'))).toBe('vectors');
    expect(await turns.take(ADA, NEVER, ignore, async () => 'the next')).toBe('the next');
  }, 10_000);

  it('SQ-8 SQ-9 while a turn is held no transaction is open', async () => {
    const first = await held();
    const { rows } = await database().admin.query<{ state: string }>(
      `select state from pg_catalog.pg_stat_activity where datname = pg_catalog.current_database() and pid <> pg_catalog.pg_backend_pid()
         and (xact_start is not null or pg_catalog.starts_with(state, 'idle in transaction'))`,
    );
    expect(rows).toEqual([]);
    first.end();
    await first.done;
  });
});
