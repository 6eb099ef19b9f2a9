-- Query receipts (SQ-11): kind and deadline. An index receipt stays as it was, and whoever knows no kinds inserts one.

alter table recall_matrix_embedding.spend
  add column kind text not null default 'index' check (kind in ('index', 'query')),
  -- From then on a pending query may be turned unknown and replaced; an index receipt has none.
  add column deadline timestamptz,
  add constraint deadline_of_query check ((kind = 'query') = (deadline is not null));

-- At most one unsettled query an owner, whatever admits it.
create unique index one_pending_query on recall_matrix_embedding.spend (tenant, principal)
  where kind = 'query' and status = 'pending';
