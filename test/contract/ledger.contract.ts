import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.js';
import { useBundledChild } from '../support/bundled-child.js';
import { inProcessCall, type LedgerBench, sendOf } from '../support/ledger-bench.js';
import { raceForReservations } from '../support/ledger-race.js';

const LIMIT = 1_000n;
const coded = (code: string): unknown => expect.objectContaining({ code });

/** What every ledger keeps, whatever it is stored in (LG-11). */
export function ledgerContract(name: string, makeBench: () => Promise<LedgerBench>): void {
  describe(`LG-11 ${name} keeps the ledger contract`, () => {
    const racer = useBundledChild('ledger-race-child');
    let bench: LedgerBench;
    let ledger: Ledger;
    beforeEach(async () => {
      bench = await makeBench();
      ledger = await bench.create(LIMIT);
    });
    afterEach(async () => bench.dispose());

    const sums = (): { spent: bigint; held: bigint; uncertain: bigint; sends: number } => {
      const { spent_nano_usd: spent, held_nano_usd: held, uncertain_nano_usd: uncertain, sends } = ledger.totals();
      return { spent, held, uncertain, sends };
    };

    it('LG-3 refuses a call that does not fit, and admits one that fits exactly', async () => {
      await ledger.reserve(sendOf(400n));
      await expect(ledger.reserve(sendOf(601n))).rejects.toEqual(coded('BUDGET_EXHAUSTED'));
      expect(sums()).toEqual({ spent: 0n, held: 400n, uncertain: 0n, sends: 1 });
      await ledger.reserve(sendOf(600n));
      expect(sums().held).toBe(LIMIT);
      await expect(ledger.reserve(sendOf(1n))).rejects.toMatchObject({ kind: 'budget', exitCode: 4 });
    });

    it('LG-3 R-25 lets no more racing calls pass than fit together', async () => {
      const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => ledger.reserve(sendOf(300n))));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
      expect(sums()).toEqual({ spent: 0n, held: 900n, uncertain: 0n, sends: 3 });
    });

    it('LG-4 settles to the cost and frees the rest', async () => {
      await ledger.settle(await ledger.reserve(sendOf(900n)), 250n);
      expect(sums()).toEqual({ spent: 250n, held: 0n, uncertain: 0n, sends: 1 });
      await ledger.reserve(sendOf(750n));
    });

    it('LG-5 a release gives everything back; only one before the send is no send', async () => {
      await ledger.release(await ledger.reserve(sendOf(900n)), 'cancelled', false);
      expect(sums()).toEqual({ spent: 0n, held: 0n, uncertain: 0n, sends: 0 });
      await ledger.release(await ledger.reserve(sendOf(900n)), 'rate-limited', true);
      expect(sums()).toEqual({ spent: 0n, held: 0n, uncertain: 0n, sends: 1 });
    });

    it('LG-4 a hold keeps the whole reservation for good, through a reopening too', async () => {
      await ledger.hold(await ledger.reserve(sendOf(700n)), 'usage-missing');
      expect(sums()).toEqual({ spent: 0n, held: 700n, uncertain: 700n, sends: 1 });
      ledger = await bench.reopen(LIMIT);
      expect(sums()).toEqual({ spent: 0n, held: 700n, uncertain: 700n, sends: 1 });
      await expect(ledger.reserve(sendOf(301n))).rejects.toEqual(coded('BUDGET_EXHAUSTED'));
    });

    it('LG-6 after a crash an open reservation is uncertain and cannot be resolved any more', async () => {
      const open = await ledger.reserve(sendOf(600n));
      await ledger.settle(await ledger.reserve(sendOf(100n)), 40n);
      ledger = await bench.reopen(LIMIT);
      expect(sums()).toEqual({ spent: 40n, held: 600n, uncertain: 600n, sends: 2 });
      await expect(ledger.release(open, 'late', false)).rejects.toEqual(coded('LEDGER_MISUSED'));
      ledger = await bench.reopen(LIMIT);
      expect(sums()).toEqual({ spent: 40n, held: 600n, uncertain: 600n, sends: 2 });
    });

    it('resolves a reservation at most once', async () => {
      const resolutions = [
        (r: Awaited<ReturnType<Ledger['reserve']>>) => ledger.settle(r, 10n),
        (r: Awaited<ReturnType<Ledger['reserve']>>) => ledger.release(r, 'x', true),
        (r: Awaited<ReturnType<Ledger['reserve']>>) => ledger.hold(r, 'x'),
      ];
      for (const first of resolutions) {
        for (const second of resolutions) {
          const reservation = await ledger.reserve(sendOf(20n));
          await first(reservation);
          const before = sums();
          await expect(second(reservation)).rejects.toEqual(coded('LEDGER_MISUSED'));
          expect(sums()).toEqual(before);
        }
      }
    });

    it('LG-9 books a cost above its reservation in full, reports the breach and stops admission, after a reopening too', async () => {
      const other = await ledger.reserve(sendOf(100n));
      await ledger.settle(await ledger.reserve(sendOf(100n)), 5_000n);
      expect(ledger.totals()).toMatchObject({ breached: true, spent_nano_usd: 5_000n, held_nano_usd: 100n });
      await expect(ledger.reserve(sendOf(0n))).rejects.toEqual(coded('BUDGET_BREACHED'));
      await expect(ledger.reserve(inProcessCall())).rejects.toEqual(coded('BUDGET_BREACHED'));
      await ledger.settle(other, 60n);
      ledger = await bench.reopen(LIMIT);
      expect(ledger.totals()).toMatchObject({ breached: true, spent_nano_usd: 5_060n, held_nano_usd: 0n });
      await expect(ledger.reserve(sendOf(1n))).rejects.toEqual(coded('BUDGET_BREACHED'));
    });

    it('LG-9 a cost that equals its reservation is no breach', async () => {
      await ledger.settle(await ledger.reserve(sendOf(100n)), 100n);
      expect(ledger.totals().breached).toBe(false);
    });

    it('LG-10 refuses a lower limit and an unasked higher one, and takes a higher one as an amendment', async () => {
      await expect(bench.reopen(LIMIT - 1n, true)).rejects.toEqual(coded('LEDGER_LIMIT_CHANGED'));
      await expect(bench.reopen(LIMIT + 1n)).rejects.toEqual(coded('LEDGER_LIMIT_CHANGED'));
      ledger = await bench.reopen(LIMIT + 500n, true);
      await ledger.reserve(sendOf(1_500n));
      await expect(bench.reopen(LIMIT)).rejects.toEqual(coded('LEDGER_LIMIT_CHANGED'));
      ledger = await bench.reopen(LIMIT + 500n);
      expect(ledger.totals()).toMatchObject({ limit_nano_usd: 1_500n, held_nano_usd: 1_500n });
    });

    it('LG-1 opening the same allowance twice as new is refused, so that no arm can renew it', async () => {
      await ledger.settle(await ledger.reserve(sendOf(900n)), 900n);
      await expect(bench.create(LIMIT)).rejects.toEqual(coded('LEDGER_EXISTS'));
      ledger = await bench.reopen(LIMIT);
      await expect(ledger.reserve(sendOf(101n))).rejects.toEqual(coded('BUDGET_EXHAUSTED'));
    });

    it('LG-7 LG-12 admits in-process calls, which cost nothing, are no sends and leave no trace', async () => {
      await ledger.reserve(sendOf(LIMIT));
      const call = await ledger.reserve(inProcessCall());
      await ledger.settle(call, 0n);
      await expect(ledger.settle(call, 0n)).rejects.toEqual(coded('LEDGER_MISUSED'));
      await ledger.hold(await ledger.reserve(inProcessCall()), 'x');
      await expect(ledger.settle(await ledger.reserve(inProcessCall()), 1n)).rejects.toEqual(
        coded('LEDGER_IN_PROCESS_AMOUNT'),
      );
      await expect(ledger.reserve({ ...inProcessCall(), amount_nano_usd: 1n })).rejects.toEqual(
        coded('LEDGER_IN_PROCESS_AMOUNT'),
      );
      expect(sums()).toEqual({ spent: 0n, held: LIMIT, uncertain: 0n, sends: 1 });
    });

    it('LG-6 OB-3 keeps sums by arm and stage, in a stated order, that add up to the totals', async () => {
      await ledger.settle(await ledger.reserve(sendOf(100n)), 30n);
      await ledger.hold(await ledger.reserve(sendOf(50n)), 'timeout');
      await ledger.settle(await ledger.reserve(sendOf(100n, { arm: null, stage: 'formation' })), 70n);
      await ledger.reserve(sendOf(11n, { arm: 'a', stage: 'judge' }));
      await ledger.reserve(sendOf(13n, { arm: 'a', stage: 'query' }));
      const group = (
        arm: string | null,
        stage: string,
        spent: bigint,
        held: bigint,
        uncertain: bigint,
        sends: number,
      ): unknown => ({
        arm,
        stage,
        spent_nano_usd: spent,
        held_nano_usd: held,
        uncertain_nano_usd: uncertain,
        sends,
      });
      expect(ledger.totals().by_arm_and_stage).toEqual([
        group(null, 'formation', 70n, 0n, 0n, 1),
        group('a', 'query', 0n, 13n, 0n, 1),
        group('a', 'judge', 0n, 11n, 0n, 1),
        group('bm25', 'reader', 30n, 50n, 50n, 2),
      ]);
      expect(sums()).toEqual({ spent: 100n, held: 74n, uncertain: 50n, sends: 5 });
    });

    it('LG-12 says what all arms share, by fixture and stage, also of what an earlier process booked', async () => {
      const shared = { arm: null, fixture: 'f', stage: 'index' } as const;
      await ledger.settle(await ledger.reserve(sendOf(100n, shared)), 70n);
      await ledger.hold(await ledger.reserve(sendOf(20n, shared)), 'timeout');
      await ledger.settle(await ledger.reserve(sendOf(9n, { ...shared, fixture: 'g' })), 8n);
      await ledger.settle(await ledger.reserve(sendOf(50n, { arm: 'a', fixture: 'f', stage: 'index' })), 30n);
      const before = [
        { fixture: 'f', stage: 'index', spent_nano_usd: 70n, held_nano_usd: 20n, uncertain_nano_usd: 20n, sends: 2 },
        { fixture: 'g', stage: 'index', spent_nano_usd: 8n, held_nano_usd: 0n, uncertain_nano_usd: 0n, sends: 1 },
      ];
      expect(ledger.shared()).toEqual(before);
      await ledger.close();
      ledger = await bench.reopen(LIMIT);
      await ledger.release(await ledger.reserve(sendOf(5n, { ...shared, stage: 'query' })), 'status-429', true);
      const query = { fixture: 'f', stage: 'query', spent_nano_usd: 0n, held_nano_usd: 0n, uncertain_nano_usd: 0n };
      expect(ledger.shared()).toEqual([...before, { ...query, sends: 1 }]);
    });

    it('refuses amounts that cannot be booked exactly, and changes nothing', async () => {
      await expect(ledger.reserve(sendOf(-1n))).rejects.toEqual(coded('LEDGER_AMOUNT_UNSAFE'));
      await expect(ledger.reserve(sendOf(2n ** 60n))).rejects.toEqual(coded('BUDGET_EXHAUSTED'));
      const reservation = await ledger.reserve(sendOf(10n));
      await expect(ledger.settle(reservation, -1n)).rejects.toEqual(coded('LEDGER_AMOUNT_UNSAFE'));
      await expect(ledger.settle(reservation, 2n ** 53n)).rejects.toEqual(coded('LEDGER_AMOUNT_UNSAFE'));
      expect(sums()).toEqual({ spent: 0n, held: 10n, uncertain: 0n, sends: 1 });
      await ledger.settle(reservation, 10n);
    });

    it('LG-3 LG-11 R-25 8 processes that race 250 reservations each on a budget for 311 of them admit exactly 311', async () => {
      const [fits, each, amount] = [311, 250, 7n];
      await bench.dispose();
      bench = await makeBench();
      ledger = await bench.create(BigInt(fits) * amount);
      await ledger.close();
      const admitted = await raceForReservations(racer(), bench.place, {
        processes: 8,
        each,
        amount,
        limit: BigInt(fits) * amount,
      });
      expect(admitted).toHaveLength(8);
      expect(admitted.reduce((sum, count) => sum + count, 0)).toBe(fits);
      ledger = await bench.reopen(BigInt(fits) * amount);
      expect(sums()).toMatchObject({ sends: fits });
      expect(sums().spent + sums().held).toBe(BigInt(fits) * amount);
      expect(sums().spent).toBeGreaterThan(0n);
      const lines = await bench.lines();
      expect(lines.filter(({ kind }) => kind === 'reserve')).toHaveLength(fits);
      for (const line of lines)
        expect(line.spent_nano_usd + line.held_nano_usd).toBeLessThanOrEqual(line.limit_nano_usd);
    });

    it('is of no use once closed', async () => {
      const reservation = await ledger.reserve(sendOf(10n));
      await ledger.close();
      await ledger.close();
      await expect(ledger.reserve(sendOf(1n))).rejects.toEqual(coded('LEDGER_CLOSED'));
      await expect(ledger.settle(reservation, 1n)).rejects.toEqual(coded('LEDGER_CLOSED'));
    });
  });
}
