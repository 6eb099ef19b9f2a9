-- Ledgers of runs (LG-11). A line is never changed; what must never happen to an account is refused here as well as in the program.

create table recall_matrix_ledger.account (
  run text primary key check (run <> ''),
  last_line bigint not null check (last_line >= 0),
  limit_nano_usd bigint not null check (limit_nano_usd >= 0),
  spent_nano_usd bigint not null check (spent_nano_usd >= 0),
  held_nano_usd bigint not null check (held_nano_usd >= 0),
  breached boolean not null,
  check (breached or spent_nano_usd + held_nano_usd <= limit_nano_usd)
);

-- One opening by one process. It lives while its connection holds the advisory lock of its id.
create table recall_matrix_ledger.session (
  id integer generated always as identity primary key,
  run text not null references recall_matrix_ledger.account,
  host text not null,
  pid bigint not null,
  process_started text,
  opened_at text not null,
  closed boolean not null default false
);

create table recall_matrix_ledger.line (
  run text not null references recall_matrix_ledger.account,
  -- 0 is the opening line.
  number bigint not null check (number >= 0),
  session integer not null references recall_matrix_ledger.session,
  kind text not null check (kind in ('opening', 'reserve', 'settle', 'release', 'hold', 'breach', 'amendment')),
  reservation text,
  limit_nano_usd bigint not null,
  spent_nano_usd bigint not null,
  held_nano_usd bigint not null,
  breached boolean not null,
  -- Exactly as a journal in a file has it.
  text text not null,
  primary key (run, number),
  check (breached or spent_nano_usd + held_nano_usd <= limit_nano_usd)
);

create unique index line_reserved_once on recall_matrix_ledger.line (run, reservation) where kind = 'reserve';
create unique index line_resolved_once on recall_matrix_ledger.line (run, reservation)
  where kind in ('settle', 'release', 'hold');

create function recall_matrix_ledger.refuse_change() returns trigger language plpgsql set search_path = '' as $$
begin
  raise exception 'a ledger is only ever added to: % of % is refused', tg_op, tg_table_name;
end $$;

create trigger line_is_kept before update or delete on recall_matrix_ledger.line
  for each row execute function recall_matrix_ledger.refuse_change();
create trigger lines_are_kept before truncate on recall_matrix_ledger.line
  for each statement execute function recall_matrix_ledger.refuse_change();
create trigger account_is_kept before delete on recall_matrix_ledger.account
  for each row execute function recall_matrix_ledger.refuse_change();
create trigger account_goes_forward before update on recall_matrix_ledger.account for each row
  when (new.run <> old.run or new.last_line < old.last_line or new.limit_nano_usd < old.limit_nano_usd
        or new.spent_nano_usd < old.spent_nano_usd or (old.breached and not new.breached))
  execute function recall_matrix_ledger.refuse_change();
