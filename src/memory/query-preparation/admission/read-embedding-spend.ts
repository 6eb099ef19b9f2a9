import type pg from 'pg';
import type { Owner } from '../../../fixture/history.js';
import type { EmbeddingKind, ReceiptStatus } from '../admission.js';
import type { AdmissionMigration } from './admission-migrations.js';
import { nanoUsdOf } from './charge.js';
import { latestAdmissionMigration } from './embedding-schema.js';
import { readIndexReceipts } from './index-receipt-reader.js';
import { onOwnerAccount } from './owner-account.js';
import { readReceipts } from './receipt-row.js';
import { receiptText } from './receipt-text.js';

/** Which owners' and days' spending is asked for; null: of all. */
export interface SpendFilter {
  readonly owner: Owner | null;
  readonly day: string | null;
}

/** The receipts of one owner, UTC day, kind and status, together. */
export interface SpendSum {
  readonly owner: Owner;
  readonly day: string;
  /** Null where the ledger's migration knows none. */
  readonly kind: EmbeddingKind | null;
  readonly status: ReceiptStatus;
  readonly receipts: number;
  readonly reserved_nano_usd: bigint;
  readonly charge_nano_usd: bigint;
}

/** What the owners' ledgers of one control database hold. */
export interface EmbeddingSpend {
  /** The latest migration of the ledger; null where nothing was ever reserved in it. */
  readonly migration: AdmissionMigration | null;
  /** By owner, day, kind and status. */
  readonly sums: readonly SpendSum[];
  /** Each receipt of the one owner and day that were asked for, as it is serialised; null where fewer than both were. */
  readonly receipts: readonly string[] | null;
}

/**
 * Reads what owners spent on embeddings, changes nothing, and brings no schema up.
 *
 * @param admin of the control database's owner, who sees every owner's rows.
 */
export async function readEmbeddingSpend(admin: pg.Pool, filter: SpendFilter): Promise<EmbeddingSpend> {
  const { owner, day } = filter;
  const migration = await latestAdmissionMigration(admin);
  if (migration === null) return { migration, sums: [], receipts: null };
  const hasKinds = migration !== '0001-index-receipts';
  const sums = await readSums(admin, filter, hasKinds ? 'kind' : 'null::text');
  if (owner === null || day === null) return { migration, sums, receipts: null };
  const receipts = hasKinds
    ? (await onOwnerAccount(admin, owner, (query) => readReceipts(query, day))).map(receiptText)
    : await readIndexReceipts(admin, owner, day);
  return { migration, sums, receipts };
}

async function readSums(admin: pg.Pool, { owner, day }: SpendFilter, kind: 'kind' | 'null::text'): Promise<SpendSum[]> {
  const { rows } = await admin.query<{
    tenant: string;
    principal: string;
    day: string;
    kind: EmbeddingKind | null;
    status: ReceiptStatus;
    receipts: number;
    reserved: string;
    charge: string;
  }>(
    `select tenant, principal, day::text as day, ${kind} as kind, status, count(*)::int as receipts,
            sum(reserved_micro_usd)::text as reserved, sum(charge_micro_usd)::text as charge
       from recall_matrix_embedding.spend
      where ($1::text is null or (tenant = $1 and principal = $2)) and ($3::date is null or day = $3::date)
      group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
    [owner?.tenant ?? null, owner?.principal ?? null, day],
  );
  return rows.map(({ tenant, principal, reserved, charge, ...row }) => ({
    ...row,
    owner: { tenant, principal },
    reserved_nano_usd: nanoUsdOf(BigInt(reserved)),
    charge_nano_usd: nanoUsdOf(BigInt(charge)),
  }));
}
