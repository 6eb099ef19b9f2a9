-- Charges stay, of queries too: an earlier version counts them against the day as it counts its own.

lock table recall_matrix_embedding.owner in access exclusive mode;
lock table recall_matrix_embedding.spend in access exclusive mode;

do $$
begin
  if pg_catalog.row_security_active('recall_matrix_embedding.owner') or pg_catalog.row_security_active('recall_matrix_embedding.spend') then
    raise exception 'row security hides rows of the owner''s ledger of embeddings from this login' using errcode = 'RM001';
  end if;
  -- By the clock of whoever undoes this; where none is told, none has expired. Its whole charge stays. Two leases ahead lies no deadline of a clock
  -- that agrees.
  update recall_matrix_embedding.spend set status = 'unknown'
    where status = 'pending' and (deadline <= nullif(current_setting('recall.now', true), '')::timestamptz
      or deadline > nullif(current_setting('recall.now', true), '')::timestamptz + interval '30 seconds');
  if exists (select from recall_matrix_embedding.spend where kind = 'query' and status = 'pending') then
    raise exception 'a query is being prepared under a reservation that is not settled' using errcode = 'RM002';
  end if;
end $$;

drop index recall_matrix_embedding.one_pending_query;
alter table recall_matrix_embedding.spend
  drop constraint deadline_of_query,
  drop column deadline,
  drop column kind;
