import { basename } from 'node:path';
import pg from 'pg';
import { type Clock, systemClock } from '../../src/core/clock.js';
import type { Owner } from '../../src/fixture/history.js';
import { openPostgresAdmission } from '../../src/memory/query-preparation/admission/postgres-admission.js';
import { CONTROL_DATABASE } from '../../src/postgres/control-database.js';
import { openPostgres } from '../../src/postgres/open.js';
import { type JournalLine, journalOf } from './cli-priced.js';

/** A row of the owner's ledger, or what a run's journal says of the same send, in the same words. */
export interface OwnerReceipt {
  readonly receipt: string;
  readonly kind: string;
  readonly status: string;
  /** Nano-dollars. */
  readonly charge: number;
}

const QUANTUM = 1_000;
/** Nano-dollars in whole quanta of the owner's ledger. */
export const inQuanta = (nano: number): number => Math.ceil(nano / QUANTUM) * QUANTUM;

export const chargeOf = (receipts: readonly OwnerReceipt[]): number =>
  receipts.reduce((sum, { charge }) => sum + charge, 0);

/** An owner's receipts on a server, in the order of their admission, as its administrator reads them. */
export async function receiptsOf(url: string, { tenant, principal }: Owner): Promise<OwnerReceipt[]> {
  const client = new pg.Client({ connectionString: url.replace(/\/[^/?]*(\?|$)/, `/${CONTROL_DATABASE}$1`) });
  await client.connect();
  try {
    const { rows } = await client.query<OwnerReceipt & { charge: string }>(
      `select receipt, kind, status, charge_micro_usd::text as charge from recall_matrix_embedding.spend
        where tenant = $1 and principal = $2 order by position`,
      [tenant, principal],
    );
    return rows.map(({ charge, ...row }) => ({ ...row, charge: Number(charge) * QUANTUM }));
  } finally {
    await client.end();
  }
}

/** What a run's journal says of each embedding send: what its owner's ledger has to say, too. */
export async function embeddingSends(run: string): Promise<OwnerReceipt[]> {
  const journal = await journalOf(run);
  const resolutions = new Map(
    journal.filter(({ kind }) => kind !== 'reserve' && kind !== 'breach').map((line) => [line.id, line]),
  );
  return journal
    .filter(({ kind, stage }) => kind === 'reserve' && (stage === 'index' || stage === 'query'))
    .map((line) => ({
      receipt: `${basename(run)}/${line.id}`,
      kind: line.stage as string,
      ...outcomeOf(line, resolutions.get(line.id)),
    }));
}

function outcomeOf(
  { amount_nano_usd: amount = 0 }: JournalLine,
  resolution: JournalLine | undefined,
): Pick<OwnerReceipt, 'status' | 'charge'> {
  switch (resolution?.kind) {
    case 'settle':
      return { status: 'settled', charge: inQuanta(resolution.cost_nano_usd ?? 0) };
    case 'release':
      return { status: 'released', charge: 0 };
    case 'hold':
      return { status: 'unknown', charge: inQuanta(amount) };
    default:
      return { status: 'pending', charge: inQuanta(amount) };
  }
}

/** Uses the day of an owner up, as another run would. */
export async function spendDay(url: string, owner: Owner, clock: Clock): Promise<void> {
  const opened = await openPostgres({ databaseUrl: url, clock: systemClock, signal: new AbortController().signal });
  try {
    const pools = { admin: await opened.openControl(), runtime: await opened.openControlRuntime() };
    const all = 1_000_000_000n;
    const ceilings = { request_nano_usd: all, day_nano_usd: all };
    const admission = await openPostgresAdmission({ ...pools, clock, ceilings });
    await admission.reserve({ receipt: 'another/r1', owner, kind: 'index', amount_nano_usd: all });
    await admission.settle(owner, 'another/r1', all);
  } finally {
    await opened.close();
  }
}
