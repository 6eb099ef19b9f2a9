import { canonicalJson } from '../../../core/canonical-json.js';
import type { EmbeddingReceipt } from '../admission.js';
import { quantaOf } from './charge.js';
import { indexReceiptText } from './index-receipt-reader.js';

/**
 * A receipt as one line of canonical JSON, amounts in whole quanta. An index receipt has the shape that it had before there were any others
 * (SQ-11); a query's has its kind and deadline beside.
 */
export function receiptText(receipt: EmbeddingReceipt): string {
  const text = indexReceiptText({
    receipt: receipt.receipt,
    status: receipt.status,
    day: receipt.day,
    reserved_micro_usd: Number(quantaOf(receipt.reserved_nano_usd)),
    charge_micro_usd: Number(quantaOf(receipt.charge_nano_usd)),
  });
  if (receipt.kind === 'index') return text;
  return canonicalJson({ ...JSON.parse(text), kind: receipt.kind, deadline: receipt.deadline });
}
