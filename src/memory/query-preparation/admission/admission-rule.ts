import { internalFault } from '../../../core/errors.js';
import type { Owner } from '../../../fixture/history.js';
import {
  type AdmissionResult,
  type EmbeddingCeilings,
  type EmbeddingKind,
  type EmbeddingReservation,
  PREPARATION_TIMES,
} from '../admission.js';
import { nanoUsdOf, quantaOf, showQuanta } from './charge.js';

/** The UTC day of an instant, YYYY-MM-DD: whose allowance a request admitted then is charged to (SQ-10). */
export function dayOf(instant: string): string {
  return instant.slice(0, 'YYYY-MM-DD'.length);
}

/** From when on a receipt that is admitted at an instant may be turned unknown (SQ-8); null for items, whose job goes on at its cursor. */
export function deadlineOf(kind: EmbeddingKind, admittedAt: string): string | null {
  return kind === 'index' ? null : new Date(Date.parse(admittedAt) + PREPARATION_TIMES.lease_ms).toISOString();
}

/**
 * How far ahead a deadline may lie: one lease, and one more for clocks that differ. Beyond it lies only what a clock far ahead has set, and that
 * would keep the slot until its time comes.
 */
export const FURTHEST_DEADLINE_MS = 2 * PREPARATION_TIMES.lease_ms;

/** Whether a deadline has come: at its very millisecond it has; or lies further ahead than a clock that agrees can have set it. */
export function isExpired(deadline: string | null, now: string): boolean {
  if (deadline === null) return false;
  const rest = Date.parse(deadline) - Date.parse(now);
  return rest <= 0 || rest > FURTHEST_DEADLINE_MS;
}

/** What an owner's account says under its lock, after expired receipts were turned unknown. */
export interface OwnerAccount {
  readonly has_pending_query: boolean;
  readonly day: string;
  /** What the owner's receipts of that day are charged together, of both kinds. */
  readonly day_quanta: bigint;
}

/** Why a request may not be admitted (SQ-9), looked at in this order: slot, request, day. Null where it may. */
export function refusalOf(
  request: EmbeddingReservation,
  account: OwnerAccount,
  ceilings: EmbeddingCeilings,
): Extract<AdmissionResult, { kind: 'refused' }> | null {
  const quanta = quantaOf(request.amount_nano_usd);
  const owner = showOwner(request.owner);
  if (request.kind === 'query' && account.has_pending_query) {
    return { kind: 'refused', ceiling: 'slot', message: `another query of ${owner} is being prepared` };
  }
  const needs = `this request may cost ${showQuanta(quanta)}`;
  if (nanoUsdOf(quanta) > ceilings.request_nano_usd) {
    const message = `${needs}, above the ceiling of ${showNano(ceilings.request_nano_usd)} of one embedding request`;
    return { kind: 'refused', ceiling: 'request', message };
  }
  if (nanoUsdOf(account.day_quanta + quanta) > ceilings.day_nano_usd) {
    const spent = `${owner} is charged ${showQuanta(account.day_quanta)} of ${showNano(ceilings.day_nano_usd)} for embeddings of ${account.day}`;
    return { kind: 'refused', ceiling: 'day', message: `${spent}; ${needs}` };
  }
  return null;
}

/** A ceiling for messages, in whole quanta: what is finer admits nothing. */
function showNano(ceiling: bigint): string {
  return showQuanta(ceiling / nanoUsdOf(1n));
}

export function showOwner({ tenant, principal }: Owner): string {
  return `${tenant}/${principal}`;
}

/** An id that was admitted before: its send would have two bills and one receipt (SQ-13). */
export function receiptUsed(owner: Owner, receipt: string): Error {
  return internalFault('RECEIPT_USED', `the receipt ${receipt} of ${showOwner(owner)} was used before`);
}

/** A receipt that its owner does not have cannot be settled or released. */
export function receiptMissing(owner: Owner, receipt: string): Error {
  return internalFault('RECEIPT_MISSING', `${showOwner(owner)} has no receipt ${receipt}`);
}

export function admissionClosed(): Error {
  return internalFault('ADMISSION_CLOSED', "the owner's ledger of embeddings is closed");
}
