import type pg from 'pg';
import { z } from 'zod';
import { canonicalJson } from '../../../core/canonical-json.js';
import { internalFault, invalidInput } from '../../../core/errors.js';
import type { Owner } from '../../../fixture/history.js';
import { onOwnerAccount } from './owner-account.js';

const receiptSchema = z.strictObject({
  receipt: z.string().min(1),
  status: z.enum(['pending', 'settled', 'unknown', 'released']),
  day: z.iso.date(),
  reserved_micro_usd: z.int().nonnegative(),
  charge_micro_usd: z.int().nonnegative(),
});

/** An index receipt as the first migration has it. */
export type IndexReceipt = z.output<typeof receiptSchema>;

/** Its serialised shape, which no later migration changes (SQ-11): canonical JSON of exactly these fields, in whole quanta. */
export function indexReceiptText(receipt: IndexReceipt): string {
  return canonicalJson(receiptSchema.parse(receipt));
}

/** @throws `INDEX_RECEIPT_INVALID` (exit 2) for anything but that shape: a field more is as wrong as one less. */
export function parseIndexReceipt(text: string): IndexReceipt {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('it is no JSON');
  }
  const read = receiptSchema.safeParse(value);
  if (!read.success) throw invalid(z.prettifyError(read.error));
  return read.data;
}

function invalid(what: string): Error {
  return invalidInput('INDEX_RECEIPT_INVALID', `no index receipt: ${what}`, {
    remedy: 'read it with the version of recall-matrix that wrote it',
  });
}

/**
 * Reads the receipts of an owner and UTC day, serialised, by the columns of the first migration alone: so an earlier version of this tool reads
 * them, whatever later migrations add, and after those are undone (SQ-11). In the order of their admission.
 *
 * @param pool of a role that row security binds, or of the administrator.
 */
export async function readIndexReceipts(pool: pg.Pool, owner: Owner, day: string): Promise<string[]> {
  const rows = await onOwnerAccount(pool, owner, (query) =>
    query<{ receipt: string; status: IndexReceipt['status']; day: string; reserved: string; charge: string }>(
      `select receipt, status, day::text as day, reserved_micro_usd::text as reserved, charge_micro_usd::text as charge
         from recall_matrix_embedding.spend
        where tenant = recall_matrix_embedding.tenant() and principal = recall_matrix_embedding.principal() and day = $1::date
        order by position`,
      [day],
    ),
  );
  return rows.map(({ reserved, charge, ...row }) =>
    indexReceiptText({ ...row, reserved_micro_usd: exact(reserved), charge_micro_usd: exact(charge) }),
  );
}

function exact(quanta: string): number {
  const value = Number(quanta);
  if (Number.isSafeInteger(value)) return value;
  throw internalFault('CHARGE_TOO_LARGE', `${quanta} micro-dollars are no exact number`);
}
