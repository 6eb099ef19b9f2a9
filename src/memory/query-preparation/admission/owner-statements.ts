import { FURTHEST_DEADLINE_MS } from './admission-rule.js';

// Row security gives every statement its owner (PG-4): none names one, but for what is inserted.

/** Bounds this transaction, in milliseconds: how long it waits for a lock, and how long it may stand still with one. */
export const BOUND_LOCK = `
  select pg_catalog.set_config('lock_timeout', $1, true), pg_catalog.set_config('idle_in_transaction_session_timeout', $1, true)`;

export const LOCK_OWNER = 'select from recall_matrix_embedding.owner for update';

/** Of two that do it at once, the second waits for the first. */
export const INSERT_OWNER = `
  insert into recall_matrix_embedding.owner (tenant, principal)
  values (recall_matrix_embedding.tenant(), recall_matrix_embedding.principal()) on conflict do nothing`;

// As `isExpired`: $n the present.
const isLiveAt = (now: string): string =>
  `deadline > ${now}::timestamptz and deadline <= ${now}::timestamptz + interval '${FURTHEST_DEADLINE_MS} milliseconds'`;

/** Queries whose deadline has come at $1, an instant: of these nobody can say any more what they cost (SQ-10). */
export const EXPIRE_QUERIES = `
  update recall_matrix_embedding.spend set status = 'unknown' where status = 'pending' and not (${isLiveAt('$1')})`;

/** What an admission looks at: $1 the day, $2 the receipt. */
export const ACCOUNT = `
  select coalesce(sum(charge_micro_usd) filter (where day = $1::date), 0)::text as day_quanta,
         coalesce(bool_or(receipt = $2), false) as is_used,
         coalesce(bool_or(kind = 'query' and status = 'pending'), false) as has_pending_query
    from recall_matrix_embedding.spend 
   where day = $1::date or receipt = $2 or (kind = 'query' and status = 'pending')`;

export const INSERT_RECEIPT = `
  insert into recall_matrix_embedding.spend 
         (tenant, principal, receipt, status, day, reserved_micro_usd, charge_micro_usd, kind, deadline)
  values (recall_matrix_embedding.tenant(), recall_matrix_embedding.principal(), $1, 'pending', $2::date, $3, $3, $4, $5::timestamptz)`;

export const STATUS = 'select status from recall_matrix_embedding.spend where receipt = $1';

/** Whether the receipt $1 is pending at $2, an instant, and before its deadline. */
export const IS_LIVE = `
  select exists (
    select from recall_matrix_embedding.spend
     where receipt = $1 and status = 'pending' and (deadline is null or (${isLiveAt('$2')}))) as live`;

export const RESOLVE = 'update recall_matrix_embedding.spend set status = $2, charge_micro_usd = $3 where receipt = $1';

/** An unknown receipt $1 whose cost came late, $2, and is above its whole charge. */
export const RAISE_UNKNOWN = `
  update recall_matrix_embedding.spend set charge_micro_usd = $2::bigint where receipt = $1 and status = 'unknown' and charge_micro_usd < $2::bigint`;

export const MARK_UNKNOWN = `
  update recall_matrix_embedding.spend
     set status = 'unknown', charge_micro_usd = greatest(charge_micro_usd, reserved_micro_usd) where receipt = $1`;

/** Names the owner for whoever reads as the administrator, whom row security does not bind. */
export const RECEIPTS_OF_DAY = `
  select receipt, status, day::text as day, reserved_micro_usd::text as reserved, charge_micro_usd::text as charge, kind,
         to_char(deadline at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as deadline
    from recall_matrix_embedding.spend
   where tenant = recall_matrix_embedding.tenant() and principal = recall_matrix_embedding.principal() and day = $1::date
   order by position`;
