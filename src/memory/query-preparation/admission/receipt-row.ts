import type { Query } from '../../beliefs/owner-transaction.js';
import type { EmbeddingKind, EmbeddingReceipt, ReceiptStatus } from '../admission.js';
import { nanoUsdOf } from './charge.js';
import { RECEIPTS_OF_DAY } from './owner-statements.js';

/** A row of the spend table. */
export interface ReceiptRow {
  readonly receipt: string;
  readonly status: ReceiptStatus;
  readonly day: string;
  /** Whole quanta. */
  readonly reserved: string;
  readonly charge: string;
  readonly kind: EmbeddingKind;
  readonly deadline: string | null;
}

export function receiptOf({ reserved, charge, ...row }: ReceiptRow): EmbeddingReceipt {
  return { ...row, reserved_nano_usd: nanoUsdOf(BigInt(reserved)), charge_nano_usd: nanoUsdOf(BigInt(charge)) };
}

/** The receipts of a transaction's owner and one UTC day, in the order of their admission. */
export async function readReceipts(query: Query, day: string): Promise<EmbeddingReceipt[]> {
  return (await query<ReceiptRow>(RECEIPTS_OF_DAY, [day])).map(receiptOf);
}
