import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileLedgerBench, sendOf } from '../../../test/support/ledger-bench.js';
import { wokenClock } from '../../../test/support/woken-clock.js';
import { manualClock } from '../../core/clock.js';
import { databaseUnavailable, internalFault } from '../../core/errors.js';
import type { Ledger } from '../../ledger/ledger.js';
import { inMemoryAdmission, inMemoryReceipts } from '../../memory/query-preparation/admission/in-memory-admission.js';
import type {
  AdmissionResult,
  EmbeddingAdmission,
  EmbeddingReservation,
} from '../../memory/query-preparation/admission.js';
import { TwinLedger } from './twin-ledger.js';

const OWNER = { tenant: 'e2e', principal: 'small' };
const QUERY = { arm: null, stage: 'query', fixture: 'small@2', unit: 'question' } as const;
const INDEX = { ...QUERY, stage: 'index' } as const;

/** An owner's ledger that answers what a test wants, and says when it was asked. */
class StubAdmission implements EmbeddingAdmission {
  refused: AdmissionResult | null = null;
  failure: Error | null = null;
  /** Lost before it had done what it was asked; there again afterwards. */
  lost = false;
  pending = true;
  hangs = false;
  checks = 0;
  readonly reserved: EmbeddingReservation[] = [];

  constructor(readonly log: string[]) {}

  async reserve(request: EmbeddingReservation): Promise<AdmissionResult> {
    this.log.push('owner reserve');
    if (this.failure !== null) throw this.failure;
    if (this.lost) throw databaseUnavailable('POSTGRES_LOST', 'gone', { remedy: 'start it' });
    if (this.refused !== null) return this.refused;
    this.reserved.push(request);
    const { receipt, kind, amount_nano_usd: amount } = request;
    const charge = { reserved_nano_usd: amount, charge_nano_usd: amount };
    return {
      kind: 'admitted',
      receipt: { receipt, kind, status: 'pending', day: '2026-01-01', ...charge, deadline: null },
    };
  }

  async isLive(): Promise<boolean> {
    this.checks += 1;
    if (this.failure !== null) throw this.failure;
    return this.pending;
  }

  settle = (_owner: unknown, receipt: string, cost: bigint): Promise<boolean> =>
    this.#tell(`settle ${receipt} ${cost}`);
  release = (_owner: unknown, receipt: string): Promise<boolean> => this.#tell(`release ${receipt}`);
  markUnknown = async (_owner: unknown, receipt: string): Promise<void> => {
    await this.#tell(`unknown ${receipt}`);
  };

  async #tell(what: string): Promise<boolean> {
    this.log.push(`owner ${what}`);
    if (this.hangs) await new Promise(() => {});
    if (this.failure !== null) throw this.failure;
    if (this.lost) throw internalFault('RECEIPT_MISSING', 'never admitted');
    return this.pending;
  }

  receipts = async (): Promise<[]> => [];
  close = async (): Promise<void> => {};
}

let bench: Awaited<ReturnType<typeof fileLedgerBench>>;
let matrix: Ledger;
let owners: StubAdmission;
let twin: TwinLedger;
let log: string[];
let clock: ReturnType<typeof wokenClock>;
beforeEach(async () => {
  bench = await fileLedgerBench();
  matrix = await bench.create(1_000n);
  log = [];
  owners = new StubAdmission(log);
  clock = wokenClock();
  twin = new TwinLedger({ matrix: told(matrix), owners, run: 'run-1', clock, ownerOf: () => OWNER });
});
afterEach(() => bench.dispose());

/** The matrix's ledger, which says when it is told something. */
function told(ledger: Ledger): Ledger {
  const say =
    <Args extends unknown[], Result>(name: string, work: (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> => {
      log.push(`matrix ${name}`);
      return work(...args);
    };
  return {
    reserve: say('reserve', (request) => ledger.reserve(request)),
    settle: say('settle', (...args) => ledger.settle(...args)),
    release: say('release', (...args) => ledger.release(...args)),
    hold: say('hold', (...args) => ledger.hold(...args)),
    totals: () => ledger.totals(),
    shared: () => ledger.shared(),
    close: () => ledger.close(),
  };
}

const sums = () => {
  const { spent_nano_usd: spent, held_nano_usd: held, uncertain_nano_usd: uncertain, sends } = matrix.totals();
  return { spent, held, uncertain, sends };
};

describe('the two ledgers of one embedding send', () => {
  it('SQ-13 SQ-10 one receipt id: reserved in the matrix’s ledger, then the owner’s; settled in the owner’s, then the matrix’s', async () => {
    const reservation = await twin.reserve(sendOf(400n, QUERY));
    expect(owners.reserved).toEqual([
      { receipt: `run-1/${reservation.id}`, owner: OWNER, kind: 'query', amount_nano_usd: 400n },
    ]);
    await twin.settle(reservation, 90n);
    expect(log).toEqual(['matrix reserve', 'owner reserve', 'owner settle run-1/r1 90', 'matrix settle']);
    expect(sums()).toEqual({ spent: 90n, held: 0n, uncertain: 0n, sends: 1 });
  });

  it('SQ-13 releases and holds in the owner’s ledger first too', async () => {
    await twin.release(await twin.reserve(sendOf(400n, INDEX)), 'status-429', true);
    await twin.hold(await twin.reserve(sendOf(300n, QUERY)), 'timeout');
    const told = log.filter((line) => !line.endsWith('reserve'));
    expect(told).toEqual(['owner release run-1/r1', 'matrix release', 'owner unknown run-1/r2', 'matrix hold']);
    expect(sums()).toEqual({ spent: 0n, held: 300n, uncertain: 300n, sends: 2 });
  });

  it('SQ-9 asks the owner’s ledger of what embeds and leaves the process, and of nothing else', async () => {
    for (const stage of ['formation', 'reader', 'judge'] as const)
      await twin.settle(await twin.reserve(sendOf(10n, { stage })), 1n);
    await twin.settle(await twin.reserve({ ...sendOf(0n, QUERY), is_send: false }), 0n);
    expect(log.filter((line) => line.startsWith('owner'))).toEqual([]);
    expect(sums().spent).toBe(3n);
  });

  it.each(['request', 'day', 'slot'] as const)(
    'SQ-9 SQ-13 a send that the owner’s %s ceiling refuses is given back in the matrix’s, and is no send',
    async (ceiling) => {
      owners.refused = { kind: 'refused', ceiling, message: 'no room' };
      const refused = twin.reserve(sendOf(400n, QUERY));
      await expect(refused).rejects.toMatchObject({ kind: 'budget', ceiling, code: 'EMBEDDING_NOT_ADMITTED' });
      expect(log).toEqual(['matrix reserve', 'owner reserve', 'matrix release']);
      expect(sums()).toEqual({ spent: 0n, held: 0n, uncertain: 0n, sends: 0 });
    },
  );

  it('SQ-13 what the owner’s ledger may have admitted, and cannot take back, stays open in the matrix’s: uncertain in both', async () => {
    owners.failure = databaseUnavailable('POSTGRES_LOST', 'gone', { remedy: 'start it' });
    await expect(twin.reserve(sendOf(400n, INDEX))).rejects.toMatchObject({ code: 'POSTGRES_LOST' });
    expect(log).toEqual(['matrix reserve', 'owner reserve', 'owner release run-1/r1']);
    expect(sums()).toEqual({ spent: 0n, held: 400n, uncertain: 0n, sends: 1 });
  });

  it('SQ-13 what the owner’s ledger never admitted is given back in the matrix’s', async () => {
    owners.lost = true;
    await expect(twin.reserve(sendOf(400n, INDEX))).rejects.toMatchObject({ code: 'POSTGRES_LOST' });
    expect(sums()).toEqual({ spent: 0n, held: 0n, uncertain: 0n, sends: 0 });
  });

  it('SQ-13 SQ-10 a receipt that another copy of this run holds is left alone: its send may be under way', async () => {
    const store = inMemoryReceipts();
    const ceilings = { request_nano_usd: 1_000_000n, day_nano_usd: 1_000_000n };
    const admission = inMemoryAdmission({ clock: manualClock(), ceilings, store });
    const other = await admission.reserve({ receipt: 'run-1/r1', owner: OWNER, kind: 'index', amount_nano_usd: 400n });
    expect(other.kind).toBe('admitted');
    twin = new TwinLedger({ matrix, owners: admission, run: 'run-1', clock, ownerOf: () => OWNER });
    const refused = { kind: 'invalid-input', code: 'RUN_CONTINUED_ELSEWHERE', exitCode: 2 };
    await expect(twin.reserve(sendOf(400n, INDEX))).rejects.toMatchObject(refused);
    expect(await admission.isLive(OWNER, 'run-1/r1')).toBe(true);
    expect(await admission.settle(OWNER, 'run-1/r1', 400n)).toBe(true);
    expect(sums()).toEqual({ spent: 0n, held: 0n, uncertain: 0n, sends: 0 });
  });

  it('SQ-10 LG-9 a late answer that cost more than was reserved is a breach in the matrix’s: nobody holds less than was billed', async () => {
    const reservation = await twin.reserve(sendOf(200n, QUERY));
    owners.pending = false;
    await twin.settle(reservation, 500n);
    expect(sums()).toEqual({ spent: 500n, held: 0n, uncertain: 0n, sends: 1 });
    expect(matrix.totals().breached).toBe(true);
    expect(reservation.lapsed?.aborted).toBe(true);
  });

  it('SQ-10 a receipt that is pending no more keeps its whole charge in both, whatever the answer cost', async () => {
    for (const resolve of [
      (r: Awaited<ReturnType<Ledger['reserve']>>) => twin.settle(r, 5n),
      (r: Awaited<ReturnType<Ledger['reserve']>>) => twin.release(r, 'status-429', true),
    ]) {
      const reservation = await twin.reserve(sendOf(200n, QUERY));
      owners.pending = false;
      await resolve(reservation);
      owners.pending = true;
      expect(reservation.lapsed?.aborted).toBe(true);
    }
    expect(sums()).toEqual({ spent: 0n, held: 400n, uncertain: 400n, sends: 2 });
  });
});

describe('the lease of a question’s receipt', () => {
  it('SQ-8 is checked each second; where it no longer holds, the send is told, and both ledgers keep the whole charge', async () => {
    const reservation = await twin.reserve(sendOf(400n, QUERY));
    await clock.advance(2_999);
    expect(owners.checks).toBe(2);
    expect(reservation.lapsed?.aborted).toBe(false);
    owners.pending = false;
    await clock.advance(1);
    expect(reservation.lapsed?.aborted).toBe(true);
    owners.pending = true;
    await twin.settle(reservation, 5n);
    expect(log.slice(2)).toEqual(['owner unknown run-1/r1', 'matrix hold']);
    expect(sums()).toEqual({ spent: 0n, held: 400n, uncertain: 400n, sends: 1 });
  });

  it('SQ-8 holds no longer where it cannot be checked', async () => {
    const reservation = await twin.reserve(sendOf(400n, QUERY));
    owners.failure = new Error('gone');
    await clock.advance(1_000);
    expect(reservation.lapsed?.aborted).toBe(true);
  });

  it('SQ-8 is not watched once the send is resolved, and items have none', async () => {
    const index = await twin.reserve(sendOf(100n, INDEX));
    expect(index.lapsed).toBeUndefined();
    await twin.settle(await twin.reserve(sendOf(100n, QUERY)), 1n);
    await twin.hold(await twin.reserve(sendOf(100n, QUERY)), 'timeout');
    await clock.advance(20_000);
    expect({ checks: owners.checks, sleepers: clock.sleepers }).toEqual({ checks: 0, sleepers: 0 });
  });

  it('SQ-8 cleaning up after a failure takes at most three seconds: what is not told by then stays open, and is uncertain', async () => {
    const reservation = await twin.reserve(sendOf(400n, QUERY));
    owners.hangs = true;
    const held = twin.hold(reservation, 'timeout').then(
      () => 'held',
      (error: { code: string; kind: string }) => `${error.kind} ${error.code}`,
    );
    await clock.advance(2_999);
    expect(await Promise.race([held, 'waiting'])).toBe('waiting');
    await clock.advance(1);
    expect(await held).toBe('database EMBEDDING_LEDGER_SLOW');
    expect(sums()).toEqual({ spent: 0n, held: 400n, uncertain: 0n, sends: 1 });
    await bench.reopen(1_000n);
  });
});
