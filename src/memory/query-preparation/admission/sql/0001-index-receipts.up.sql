-- The owner's ledger of embedding requests (SQ-9 to SQ-11): receipts of indexing, by owner and UTC day. No text and no vector is ever in it.
-- Amounts are whole quanta, micro-dollars. Grants go to PUBLIC: nobody but the tool's logins may connect, and row security binds the runtime's (PG-4).

grant usage on schema recall_matrix_embedding to public;

create function recall_matrix_embedding.tenant() returns text stable language sql
  as $$ select nullif(current_setting('recall.tenant', true), '') $$;
create function recall_matrix_embedding.principal() returns text stable language sql
  as $$ select nullif(current_setting('recall.principal', true), '') $$;

-- One row an owner: who holds its lock decides what is admitted.
create table recall_matrix_embedding.owner (
  tenant text collate "C" not null check (tenant <> ''),
  principal text collate "C" not null check (principal <> ''),
  primary key (tenant, principal)
);

create table recall_matrix_embedding.spend (
  tenant text collate "C" not null,
  principal text collate "C" not null,
  receipt text collate "C" not null check (receipt <> ''),
  position bigint generated always as identity,
  status text not null check (status in ('pending', 'settled', 'unknown', 'released')),
  -- Of its admission, which it keeps.
  day date not null,
  reserved_micro_usd bigint not null check (reserved_micro_usd >= 0),
  charge_micro_usd bigint not null check (charge_micro_usd >= 0),
  primary key (tenant, principal, receipt),
  foreign key (tenant, principal) references recall_matrix_embedding.owner,
  check (status <> 'pending' or charge_micro_usd = reserved_micro_usd),
  check (status <> 'unknown' or charge_micro_usd >= reserved_micro_usd),
  check (status <> 'released' or charge_micro_usd = 0)
);
create index spend_of_day on recall_matrix_embedding.spend (tenant, principal, day);

create function recall_matrix_embedding.refuse_loss() returns trigger language plpgsql set search_path = '' as $$
begin
  raise exception 'a receipt is kept: % of % is refused', tg_op, tg_table_name;
end $$;
create trigger receipt_is_kept before delete on recall_matrix_embedding.spend
  for each row execute function recall_matrix_embedding.refuse_loss();
create trigger receipts_are_kept before truncate on recall_matrix_embedding.spend
  for each statement execute function recall_matrix_embedding.refuse_loss();

create function recall_matrix_embedding.refuse_change() returns trigger language plpgsql set search_path = '' as $$
begin
  raise exception 'a receipt is resolved once, or turned unknown, and keeps its day: % to % is refused', old.status, new.status;
end $$;
create trigger receipt_goes_forward before update on recall_matrix_embedding.spend for each row
  when ((new.tenant, new.principal, new.receipt, new.position, new.day, new.reserved_micro_usd)
          is distinct from (old.tenant, old.principal, old.receipt, old.position, old.day, old.reserved_micro_usd)
        or (new.status = old.status and new.charge_micro_usd <> old.charge_micro_usd
            and not (old.status = 'unknown' and new.charge_micro_usd > old.charge_micro_usd))
        or (new.status <> old.status and old.status <> 'pending' and new.status <> 'unknown')
        or (new.status = 'unknown' and new.charge_micro_usd < old.charge_micro_usd))
  execute function recall_matrix_embedding.refuse_change();

do $$
declare
  name text;
begin
  foreach name in array array['owner', 'spend'] loop
    execute format('alter table recall_matrix_embedding.%I enable row level security', name);
    execute format('alter table recall_matrix_embedding.%I force row level security', name);
    execute format(
      'create policy owner_reads on recall_matrix_embedding.%I for select using (tenant = (select recall_matrix_embedding.tenant()) and principal = (select recall_matrix_embedding.principal()))', name);
    execute format(
      'create policy owner_inserts on recall_matrix_embedding.%I for insert with check (tenant = (select recall_matrix_embedding.tenant()) and principal = (select recall_matrix_embedding.principal()))', name);
    execute format(
      'create policy owner_updates on recall_matrix_embedding.%I for update using (tenant = (select recall_matrix_embedding.tenant()) and principal = (select recall_matrix_embedding.principal()))', name);
  end loop;
end $$;
grant select, insert on recall_matrix_embedding.owner, recall_matrix_embedding.spend to public;
-- Without a right to some column, a row cannot be locked.
grant update (principal) on recall_matrix_embedding.owner to public;
grant update (status, charge_micro_usd) on recall_matrix_embedding.spend to public;
