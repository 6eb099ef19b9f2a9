import { type LedgerEvent, type LedgerLine, OPEN_WHEN_RESUMED } from './journal-line.js';
import { type VerifiedJournal, verifyJournal } from './journal-reader.js';
import type { Attribution, LedgerTotals } from './ledger.js';
import type { NanoUsd } from './money.js';
import { hasWriter } from './writer-lock.js';

/** A reservation whose bill is not known. */
export interface UnresolvedReservation {
  readonly id: string;
  readonly amount_nano_usd: NanoUsd;
  readonly attribution: Attribution;
  /** ISO instant of the reservation. */
  readonly reserved_at: string;
  /** Why it is held; null for an open one. */
  readonly reason: string | null;
}

/** A journal as the `ledger` verb shows it. */
export interface LedgerReport {
  /** A file, or words for another place. */
  readonly path: string;
  readonly run: string;
  readonly opened_at: string;
  /** Whether a process writes it now. Where none does, what it left open counts as uncertain (LG-6). */
  readonly live: boolean;
  readonly totals: LedgerTotals;
  /** Every line after the first. */
  readonly entries: readonly LedgerLine[];
  /** Reservations of calls that are in flight; empty unless `live`. */
  readonly open: readonly UnresolvedReservation[];
  /** Held for good. */
  readonly uncertain: readonly UnresolvedReservation[];
  readonly torn_bytes: number;
}

/**
 * Reads and verifies a ledger's journal, and changes nothing.
 *
 * @throws `LEDGER_MISSING`, `LEDGER_UNREADABLE` or `LEDGER_BROKEN` (exit 2).
 */
export async function readLedger(path: string): Promise<LedgerReport> {
  // Asked first: a writer that ends meanwhile makes an open reservation look in flight, which is true of that moment.
  const live = await hasWriter(path);
  return buildLedgerReport(path, { live, isLeft: () => !live, verify: (each) => verifyJournal(path, each) });
}

/** What a report is made from, wherever the lines are. */
export interface ReportSource {
  readonly live: boolean;
  /** Whether an open reservation's process is gone. */
  readonly isLeft: (id: string) => boolean;
  readonly verify: (each: (line: LedgerLine) => void) => Promise<VerifiedJournal>;
}

/** A report of verified lines. */
export async function buildLedgerReport(place: string, source: ReportSource): Promise<LedgerReport> {
  const entries: LedgerLine[] = [];
  const reserved = new Map<string, Extract<LedgerLine, { kind: 'reserve' }>>();
  const uncertain: UnresolvedReservation[] = [];
  const { opening, account, torn_bytes } = await source.verify((line) => {
    entries.push(line);
    if (line.kind === 'reserve') reserved.set(line.id, line);
    if (line.kind === 'hold') uncertain.push(unresolved(reserved.get(line.id), line.reason));
  });
  const open = account.openReservations().map(({ id }) => unresolved(reserved.get(id), null));
  const gone = open.filter(({ id }) => source.isLeft(id));
  if (!source.live) {
    const breach = account.unreportedBreach;
    if (breach !== null) account.apply(breach);
  }
  for (const { id } of gone) account.apply(left(id));
  uncertain.push(...gone.map((reservation) => ({ ...reservation, reason: LEFT_OPEN })));
  return {
    path: place,
    run: opening.run,
    opened_at: opening.opened_at,
    live: source.live,
    totals: account.totals(),
    entries,
    open: open.filter(({ id }) => !source.isLeft(id)),
    uncertain,
    torn_bytes,
  };
}

const LEFT_OPEN = 'left-open';

/** Whether a crash left a reservation open, whatever was written of that since: its call may have been sent or not, and answered or not. */
export function wasLeftOpen({ reason }: UnresolvedReservation): boolean {
  return reason === LEFT_OPEN || reason === OPEN_WHEN_RESUMED;
}

function left(id: string): LedgerEvent {
  return { kind: 'hold', id, reason: LEFT_OPEN };
}

function unresolved(
  line: Extract<LedgerLine, { kind: 'reserve' }> | undefined,
  reason: string | null,
): UnresolvedReservation {
  // The account has refused a journal that resolves what it never reserved.
  const { id, amount_nano_usd, arm, stage, fixture, unit, at } = line as Extract<LedgerLine, { kind: 'reserve' }>;
  return {
    id,
    amount_nano_usd: BigInt(amount_nano_usd),
    attribution: { arm, stage, fixture, unit },
    reserved_at: at,
    reason,
  };
}
