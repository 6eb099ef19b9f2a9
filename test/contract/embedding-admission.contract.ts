import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type {
  AdmissionResult,
  EmbeddingAdmission,
  EmbeddingReceipt,
  EmbeddingReservation,
} from '../../src/memory/query-preparation/admission.js';
import { type AdmissionBench, CEILINGS, OWNER, requestOf } from '../support/admission-bench.js';

const DAY = '2026-03-01';
const NEXT_DAY = '2026-03-02';
const BEFORE_MIDNIGHT = `${DAY}T23:59:59.900Z`;
const OTHER = { tenant: 'lab', principal: `b'ob"\\ ; drop schema x --` };
const coded = (code: string): unknown => expect.objectContaining({ kind: 'internal', code });
const refusedBy = (ceiling: string): unknown => ({ kind: 'refused', ceiling, message: expect.stringMatching(/./) });
type MakeBench = (start?: string) => Promise<AdmissionBench>;

/** The admission of a request that must be admitted. */
async function admitted(ledger: EmbeddingAdmission, request: EmbeddingReservation): Promise<EmbeddingReceipt> {
  const result = await ledger.reserve(request);
  if (result.kind === 'refused') throw new Error(`refused: ${result.message}`);
  return result.receipt;
}

function useBench(makeBench: MakeBench): { bench: AdmissionBench; ledger: EmbeddingAdmission } {
  const held = {} as { bench: AdmissionBench; ledger: EmbeddingAdmission };
  beforeEach(async () => {
    held.bench = await makeBench(`${DAY}T09:00:00.000Z`);
    held.ledger = await held.bench.open();
  });
  afterEach(async () => held.bench.dispose());
  return held;
}

const chargesOf = async (ledger: EmbeddingAdmission, owner = OWNER, day = DAY): Promise<string[]> =>
  (await ledger.receipts(owner, day)).map(({ status, charge_nano_usd }) => `${status} ${charge_nano_usd}`);

/** What every owner's ledger keeps of index receipts, whatever it is stored in (SQ-12). */
export function indexReceiptContract(name: string, makeBench: MakeBench): void {
  describe(`SQ-12 ${name} keeps the contract of index receipts`, () => {
    const held = useBench(makeBench);

    it('SQ-9 an admitted request is a pending receipt of its UTC day, with its whole amount, rounded up', async () => {
      const request = requestOf(4_001n);
      const receipt = {
        receipt: request.receipt,
        kind: 'index',
        status: 'pending',
        day: DAY,
        reserved_nano_usd: 5_000n,
        charge_nano_usd: 5_000n,
        deadline: null,
      };
      expect(await held.ledger.reserve(request)).toEqual({ kind: 'admitted', receipt });
      expect(await held.ledger.receipts(OWNER, DAY)).toEqual([receipt]);
      expect(await held.ledger.isLive(OWNER, request.receipt)).toBe(true);
      held.bench.clock.advance(600_000);
      expect(await held.ledger.isLive(OWNER, request.receipt)).toBe(true);
    });

    it('SQ-9 one request may be as large as its ceiling, and no quantum larger; a refused one reserves nothing', async () => {
      expect(await held.ledger.reserve(requestOf(CEILINGS.request_nano_usd + 1n))).toEqual(refusedBy('request'));
      expect(await chargesOf(held.ledger)).toEqual([]);
      await admitted(held.ledger, requestOf(CEILINGS.request_nano_usd));
      expect(await chargesOf(held.ledger)).toEqual(['pending 100000']);
      // Rounded up first: what the ledger would charge is what counts.
      const uneven = await held.bench.open({ request_nano_usd: 2_500n });
      expect(await uneven.reserve(requestOf(2_001n))).toEqual(refusedBy('request'));
      await admitted(uneven, requestOf(2_000n));
    });

    it('SQ-9 the requests of a day may be charged its ceiling together, and no quantum more', async () => {
      for (const amount of [100_000n, 100_000n, 99_000n]) await admitted(held.ledger, requestOf(amount));
      expect(await held.ledger.reserve(requestOf(1_001n))).toEqual(refusedBy('day'));
      await admitted(held.ledger, requestOf(1_000n));
      expect(await held.ledger.reserve(requestOf(1n))).toEqual(refusedBy('day'));
      expect(await chargesOf(held.ledger)).toHaveLength(4);
    });

    it('SQ-9 of requests at once no more are admitted than fit together', async () => {
      const beside = await held.bench.open();
      const ledgers = [held.ledger, beside];
      const results = await Promise.all(
        Array.from({ length: 8 }, (_, index) => (ledgers[index % 2] as EmbeddingAdmission).reserve(requestOf(70_000n))),
      );
      expect(results.filter(({ kind }) => kind === 'admitted')).toHaveLength(4);
      expect(results.filter(({ kind }) => kind === 'refused')).toEqual(Array(4).fill(refusedBy('day')));
    });

    it('SQ-9 each owner has an allowance, and receipts, of its own', async () => {
      for (let i = 0; i < 3; i += 1) await admitted(held.ledger, requestOf(100_000n));
      const request = requestOf(100_000n, { owner: OTHER });
      await admitted(held.ledger, request);
      expect(await chargesOf(held.ledger, OTHER)).toEqual(['pending 100000']);
      await expect(held.ledger.settle(OWNER, request.receipt, 1n)).rejects.toEqual(coded('RECEIPT_MISSING'));
      expect(await held.ledger.isLive(OWNER, request.receipt)).toBe(false);
      await held.ledger.markUnknown(OWNER, request.receipt);
      expect(await chargesOf(held.ledger, OTHER)).toEqual(['pending 100000']);
      // Tenant and principal are two words, not one.
      await admitted(held.ledger, requestOf(100_000n, { owner: { tenant: 'la', principal: 'bada' } }));
    });

    it('SQ-10 a settled receipt is charged its cost, rounded up to the quantum, and frees the rest', async () => {
      const costs: readonly (readonly [bigint, bigint])[] = [
        [0n, 0n],
        [1n, 1_000n],
        [1_000n, 1_000n],
        [1_001n, 2_000n],
      ];
      for (const [cost, charge] of costs) {
        const { receipt } = await admitted(held.ledger, requestOf(90_000n));
        expect(await held.ledger.settle(OWNER, receipt, cost)).toBe(true);
        expect((await chargesOf(held.ledger)).at(-1)).toBe(`settled ${charge}`);
        expect(await held.ledger.isLive(OWNER, receipt)).toBe(false);
      }
      for (const amount of [100_000n, 100_000n, 96_000n]) await admitted(held.ledger, requestOf(amount));
      expect(await held.ledger.reserve(requestOf(1n))).toEqual(refusedBy('day'));
    });

    it('SQ-10 a cost above its reservation is charged in full', async () => {
      const { receipt } = await admitted(held.ledger, requestOf(1_000n));
      expect(await held.ledger.settle(OWNER, receipt, 250_500n)).toBe(true);
      expect(await chargesOf(held.ledger)).toEqual(['settled 251000']);
      expect(await held.ledger.reserve(requestOf(50_000n))).toEqual(refusedBy('day'));
      await held.ledger.markUnknown(OWNER, receipt);
      expect(await chargesOf(held.ledger)).toEqual(['unknown 251000']);
    });

    it('SQ-10 a released receipt is charged nothing', async () => {
      for (let i = 0; i < 3; i += 1) {
        const { receipt } = await admitted(held.ledger, requestOf(100_000n));
        expect(await held.ledger.release(OWNER, receipt)).toBe(true);
      }
      expect(await chargesOf(held.ledger)).toEqual(Array(3).fill('released 0'));
      for (let i = 0; i < 3; i += 1) await admitted(held.ledger, requestOf(100_000n));
    });

    it('SQ-10 an unknown receipt keeps its whole charge: no late answer lowers it', async () => {
      const { receipt } = await admitted(held.ledger, requestOf(100_000n));
      await held.ledger.markUnknown(OWNER, receipt);
      expect(await held.ledger.isLive(OWNER, receipt)).toBe(false);
      expect(await held.ledger.settle(OWNER, receipt, 1n)).toBe(false);
      expect(await held.ledger.release(OWNER, receipt)).toBe(false);
      expect(await chargesOf(held.ledger)).toEqual(['unknown 100000']);
    });

    it('SQ-10 a late answer that cost more than the whole charge raises it: no less is charged than was billed', async () => {
      const { receipt } = await admitted(held.ledger, requestOf(100_000n));
      await held.ledger.markUnknown(OWNER, receipt);
      expect(await held.ledger.settle(OWNER, receipt, 120_500n)).toBe(false);
      expect(await held.ledger.settle(OWNER, receipt, 110_000n)).toBe(false);
      expect(await chargesOf(held.ledger)).toEqual(['unknown 121000']);
    });

    it('SQ-10 a receipt is settled or released once', async () => {
      const settled = await admitted(held.ledger, requestOf(10_000n));
      await held.ledger.settle(OWNER, settled.receipt, 4_000n);
      const released = await admitted(held.ledger, requestOf(10_000n));
      await held.ledger.release(OWNER, released.receipt);
      for (const { receipt } of [settled, released]) {
        expect(await held.ledger.settle(OWNER, receipt, 1_000n)).toBe(false);
        expect(await held.ledger.release(OWNER, receipt)).toBe(false);
      }
      expect(await chargesOf(held.ledger)).toEqual(['settled 4000', 'released 0']);
    });

    it('SQ-13 a settled or released receipt that the other ledger does not know of becomes unknown, with its whole charge', async () => {
      const settled = await admitted(held.ledger, requestOf(100_000n));
      await held.ledger.settle(OWNER, settled.receipt, 1_000n);
      const released = await admitted(held.ledger, requestOf(90_000n));
      await held.ledger.release(OWNER, released.receipt);
      for (const { receipt } of [settled, released]) {
        await held.ledger.markUnknown(OWNER, receipt);
        await held.ledger.markUnknown(OWNER, receipt);
      }
      expect(await chargesOf(held.ledger)).toEqual(['unknown 100000', 'unknown 90000']);
    });

    it('SQ-13 a receipt that was never admitted stays so: nothing was sent under it', async () => {
      await held.ledger.markUnknown(OWNER, 'run/never');
      expect(await chargesOf(held.ledger)).toEqual([]);
    });

    it('SQ-13 a receipt’s id is used once, whatever became of it', async () => {
      const request = requestOf(10_000n);
      await admitted(held.ledger, request);
      await expect(held.ledger.reserve(request)).rejects.toEqual(coded('RECEIPT_USED'));
      await held.ledger.release(OWNER, request.receipt);
      await expect(held.ledger.reserve(request)).rejects.toEqual(coded('RECEIPT_USED'));
      expect(await chargesOf(held.ledger)).toEqual(['released 0']);
    });

    it('SQ-10 a request is charged to the day of its admission, also where it is settled after midnight', async () => {
      await held.bench.dispose();
      held.bench = await makeBench(BEFORE_MIDNIGHT);
      held.ledger = await held.bench.open();
      const late = await admitted(held.ledger, requestOf(100_000n));
      const lost = await admitted(held.ledger, requestOf(100_000n));
      held.bench.clock.advance(99);
      for (const { receipt } of [await admitted(held.ledger, requestOf(100_000n))])
        await held.ledger.release(OWNER, receipt);
      held.bench.clock.advance(1);
      for (let i = 0; i < 3; i += 1) await admitted(held.ledger, requestOf(100_000n));
      expect(await held.ledger.reserve(requestOf(1n))).toEqual(refusedBy('day'));
      expect(await held.ledger.settle(OWNER, late.receipt, 20_000n)).toBe(true);
      await held.ledger.markUnknown(OWNER, lost.receipt);
      expect(await chargesOf(held.ledger)).toEqual(['settled 20000', 'unknown 100000', 'released 0']);
      expect(await chargesOf(held.ledger, OWNER, NEXT_DAY)).toEqual(Array(3).fill('pending 100000'));
      expect(await held.ledger.reserve(requestOf(1n))).toEqual(refusedBy('day'));
    });

    it('SQ-10 what is pending when a process ends keeps its whole charge for the next one, which can settle it', async () => {
      const { receipt } = await admitted(held.ledger, requestOf(100_000n));
      await held.ledger.close();
      const next = await held.bench.open();
      expect(await chargesOf(next)).toEqual(['pending 100000']);
      expect(await next.settle(OWNER, receipt, 1n)).toBe(true);
    });

    it('SQ-10 other ceilings count what was spent under those before', async () => {
      for (let i = 0; i < 3; i += 1) await admitted(held.ledger, requestOf(100_000n));
      const higher = await held.bench.open({ day_nano_usd: 301_000n });
      await admitted(higher, requestOf(1_000n));
      expect(await higher.reserve(requestOf(1_000n))).toEqual(refusedBy('day'));
      const lower = await held.bench.open({ day_nano_usd: 200_000n });
      expect(await lower.reserve(requestOf(0n))).toEqual(refusedBy('day'));
    });

    it('refuses what can only be a fault of this program', async () => {
      await expect(held.ledger.reserve(requestOf(-1n))).rejects.toEqual(coded('CHARGE_NEGATIVE'));
      const { receipt } = await admitted(held.ledger, requestOf(1n));
      await expect(held.ledger.settle(OWNER, receipt, -1n)).rejects.toEqual(coded('CHARGE_NEGATIVE'));
      await expect(held.ledger.settle(OWNER, 'run/never', 1n)).rejects.toEqual(coded('RECEIPT_MISSING'));
      await expect(held.ledger.release(OWNER, 'run/never')).rejects.toEqual(coded('RECEIPT_MISSING'));
      await held.ledger.close();
      await expect(held.ledger.reserve(requestOf(1n))).rejects.toEqual(coded('ADMISSION_CLOSED'));
    });
  });
}

const LEASE_MS = 15_000;
const queryOf = (amount: bigint, more: Partial<EmbeddingReservation> = {}): EmbeddingReservation =>
  requestOf(amount, { kind: 'query', ...more });

/** What every owner's ledger keeps of query receipts (SQ-12). */
export function queryReceiptContract(name: string, makeBench: MakeBench): void {
  describe(`SQ-12 ${name} keeps the contract of query receipts`, () => {
    const held = useBench(makeBench);

    it('SQ-8 a query is reserved for fifteen seconds, and says until when', async () => {
      const receipt = await admitted(held.ledger, queryOf(1_000n));
      expect(receipt).toMatchObject({ kind: 'query', status: 'pending', deadline: `${DAY}T09:00:15.000Z` });
      expect(await held.ledger.receipts(OWNER, DAY)).toEqual([receipt]);
      held.bench.clock.advance(LEASE_MS - 1);
      expect(await held.ledger.isLive(OWNER, receipt.receipt)).toBe(true);
      held.bench.clock.advance(1);
      expect(await held.ledger.isLive(OWNER, receipt.receipt)).toBe(false);
    });

    it('SQ-9 of an owner’s queries at once exactly one is admitted, from however many sides', async () => {
      const ledgers = [held.ledger, await held.bench.open(), await held.bench.open()];
      const race = (owner: typeof OWNER): Promise<AdmissionResult>[] =>
        Array.from({ length: 8 }, (_, index) =>
          (ledgers[index % 3] as EmbeddingAdmission).reserve(queryOf(1_000n, { owner })),
        );
      for (const owner of [OWNER, OTHER]) {
        const results = await Promise.all(race(owner));
        expect(results.filter(({ kind }) => kind === 'admitted')).toHaveLength(1);
        expect(results.filter(({ kind }) => kind === 'refused')).toEqual(Array(7).fill(refusedBy('slot')));
      }
    });

    it('SQ-9 an index receipt neither takes the slot nor waits for it', async () => {
      await admitted(held.ledger, requestOf(1_000n));
      await admitted(held.ledger, queryOf(1_000n));
      await admitted(held.ledger, requestOf(1_000n));
      expect(await held.ledger.reserve(queryOf(1_000n))).toEqual(refusedBy('slot'));
    });

    it('SQ-9 the slot is free again when its receipt is settled, released or unknown', async () => {
      const ends = [
        (id: string) => held.ledger.settle(OWNER, id, 1n),
        (id: string) => held.ledger.release(OWNER, id),
        (id: string) => held.ledger.markUnknown(OWNER, id),
      ];
      for (const end of ends) {
        const { receipt } = await admitted(held.ledger, queryOf(1_000n));
        expect(await held.ledger.reserve(queryOf(1_000n))).toEqual(refusedBy('slot'));
        await end(receipt);
      }
      await admitted(held.ledger, queryOf(1_000n));
    });

    it('SQ-10 an expired query becomes unknown, with its whole charge, before it is replaced: at its deadline, not before', async () => {
      const first = await admitted(held.ledger, queryOf(100_000n));
      held.bench.clock.advance(LEASE_MS - 1);
      expect(await held.ledger.reserve(queryOf(1_000n))).toEqual(refusedBy('slot'));
      expect(await chargesOf(held.ledger)).toEqual(['pending 100000']);
      held.bench.clock.advance(1);
      await admitted(held.ledger, queryOf(1_000n));
      expect(await chargesOf(held.ledger)).toEqual(['unknown 100000', 'pending 1000']);
      expect(await held.ledger.settle(OWNER, first.receipt, 1n)).toBe(false);
      expect(await chargesOf(held.ledger)).toEqual(['unknown 100000', 'pending 1000']);
    });

    it('SQ-10 so it does after a restart', async () => {
      await admitted(held.ledger, queryOf(100_000n));
      await held.ledger.close();
      held.ledger = await held.bench.open();
      held.bench.clock.advance(LEASE_MS - 1);
      expect(await held.ledger.reserve(queryOf(1_000n))).toEqual(refusedBy('slot'));
      held.bench.clock.advance(1);
      await admitted(held.ledger, queryOf(1_000n));
      expect(await chargesOf(held.ledger)).toEqual(['unknown 100000', 'pending 1000']);
    });

    it('SQ-10 what an expired query may have cost still counts, where its replacement is refused for it', async () => {
      await admitted(held.ledger, queryOf(100_000n));
      held.bench.clock.advance(LEASE_MS);
      const lower = await held.bench.open({ day_nano_usd: 100_000n });
      expect(await lower.reserve(queryOf(1_000n))).toEqual(refusedBy('day'));
      expect(await chargesOf(lower)).toEqual(['unknown 100000']);
    });

    it('SQ-10 an answer at the deadline is late, though nothing has replaced it; one a millisecond before is not', async () => {
      const early = await admitted(held.ledger, queryOf(10_000n));
      held.bench.clock.advance(LEASE_MS - 1);
      expect(await held.ledger.settle(OWNER, early.receipt, 1_000n)).toBe(true);
      for (const end of ['settle', 'release'] as const) {
        const late = await admitted(held.ledger, queryOf(10_000n));
        held.bench.clock.advance(LEASE_MS);
        expect(await held.ledger[end](OWNER, late.receipt, 1_000n)).toBe(false);
      }
      expect(await chargesOf(held.ledger)).toEqual(['settled 1000', 'unknown 10000', 'unknown 10000']);
    });

    it('SQ-8 SQ-9 a deadline that only a clock far ahead can have set does not keep the slot until it comes', async () => {
      const ahead = await admitted(held.ledger, queryOf(100_000n));
      held.bench.clock.advance(-LEASE_MS);
      expect(await held.ledger.reserve(queryOf(1_000n))).toEqual(refusedBy('slot'));
      expect(await held.ledger.isLive(OWNER, ahead.receipt)).toBe(true);
      held.bench.clock.advance(-1);
      expect(await held.ledger.isLive(OWNER, ahead.receipt)).toBe(false);
      await admitted(held.ledger, queryOf(1_000n));
      expect(await chargesOf(held.ledger)).toEqual(['unknown 100000', 'pending 1000']);
    });

    it('SQ-9 queries and items share one allowance: what either has used up, the other is refused', async () => {
      for (let i = 0; i < 3; i += 1) await admitted(held.ledger, requestOf(100_000n));
      expect(await held.ledger.reserve(queryOf(1n))).toEqual(refusedBy('day'));
      for (let i = 0; i < 3; i += 1) {
        const { receipt } = await admitted(held.ledger, queryOf(100_000n, { owner: OTHER }));
        await held.ledger.settle(OTHER, receipt, 100_000n);
      }
      expect(await held.ledger.reserve(requestOf(1n, { owner: OTHER }))).toEqual(refusedBy('day'));
    });

    it('SQ-9 a query is held to the ceiling of one request too', async () => {
      expect(await held.ledger.reserve(queryOf(100_001n))).toEqual(refusedBy('request'));
      await admitted(held.ledger, queryOf(100_000n));
      // The slot is looked at first.
      expect(await held.ledger.reserve(queryOf(100_001n))).toEqual(refusedBy('slot'));
    });

    it('SQ-10 a query that expires after midnight stays with the day of its admission', async () => {
      await held.bench.dispose();
      held.bench = await makeBench(BEFORE_MIDNIGHT);
      held.ledger = await held.bench.open();
      const first = await admitted(held.ledger, queryOf(100_000n));
      expect(first.deadline).toBe(`${NEXT_DAY}T00:00:14.900Z`);
      held.bench.clock.advance(LEASE_MS);
      const second = await admitted(held.ledger, queryOf(90_000n));
      await held.ledger.settle(OWNER, second.receipt, 2_000n);
      expect(await chargesOf(held.ledger)).toEqual(['unknown 100000']);
      expect(await chargesOf(held.ledger, OWNER, NEXT_DAY)).toEqual(['settled 2000']);
    });
  });
}
