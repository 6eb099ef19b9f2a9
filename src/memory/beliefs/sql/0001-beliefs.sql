-- The belief store. Civil times are text under "C", so that order is time order and no time zone can move them.
-- Keys begin with what tells rows apart. A scratch database has one owner: an index that begins with it would seem as good to a planner
-- without statistics, and be read whole for each row.
-- Grants go to PUBLIC: only the runtime's role may connect to a scratch database, and row security binds it.

create schema memory;
grant usage on schema memory to public;

create function memory.tenant() returns text stable language sql
  as $$ select nullif(current_setting('recall.tenant', true), '') $$;
create function memory.principal() returns text stable language sql
  as $$ select nullif(current_setting('recall.principal', true), '') $$;
-- The highest sensitivity that the present transaction may read: 0 public .. 3 restricted; nothing where it is not set.
create function memory.read_ceiling() returns smallint stable language sql
  as $$ select nullif(current_setting('recall.read_ceiling', true), '')::smallint $$;

create table memory.turn (
  tenant text collate "C" not null,
  principal text collate "C" not null,
  id text collate "C" not null,
  position bigint generated always as identity,
  session text collate "C" not null,
  said_at text collate "C" not null,
  speaker text collate "C" not null,
  text text collate "C",
  caption text collate "C",
  sensitivity smallint not null check (sensitivity between 0 and 3),
  -- 1 as said; one more for each correction.
  version integer not null default 1 check (version >= 1),
  erased boolean not null default false,
  primary key (id, tenant, principal),
  check (erased = (text is null)),
  check (not erased or caption is null)
);

create table memory.belief (
  tenant text collate "C" not null,
  principal text collate "C" not null,
  id text collate "C" not null,
  position bigint generated always as identity,
  batch text collate "C" not null,
  statement text collate "C" not null,
  subjects text[] collate "C" not null,
  confidence double precision not null check (confidence between 0 and 1),
  observed_at text collate "C" not null,
  -- The latest time among its sources: invisible to questions asked before it (FX-7).
  visible_from text collate "C" not null,
  -- The highest among its sources.
  sensitivity smallint not null check (sensitivity between 0 and 3),
  primary key (id, tenant, principal)
);

create table memory.belief_source (
  tenant text collate "C" not null,
  principal text collate "C" not null,
  belief_id text collate "C" not null,
  ordinal integer not null,
  turn_id text collate "C" not null,
  -- The version that the belief was formed from.
  turn_version integer not null,
  primary key (belief_id, ordinal, tenant, principal),
  unique (belief_id, turn_id, tenant, principal),
  foreign key (tenant, principal, belief_id) references memory.belief (tenant, principal, id) on delete cascade,
  foreign key (tenant, principal, turn_id) references memory.turn (tenant, principal, id)
);
create index belief_source_by_turn on memory.belief_source (turn_id, tenant, principal);

-- A later belief retires the one that it names; both are kept.
create table memory.supersession (
  tenant text collate "C" not null,
  principal text collate "C" not null,
  belief_id text collate "C" not null,
  superseded_id text collate "C" not null,
  primary key (superseded_id, belief_id, tenant, principal),
  check (belief_id <> superseded_id),
  foreign key (tenant, principal, belief_id) references memory.belief (tenant, principal, id) on delete cascade,
  foreign key (tenant, principal, superseded_id) references memory.belief (tenant, principal, id) on delete cascade
);
create index supersession_by_belief on memory.supersession (belief_id, tenant, principal);

create table memory.person (
  tenant text collate "C" not null,
  principal text collate "C" not null,
  id text collate "C" not null,
  position bigint generated always as identity,
  name text collate "C" not null,
  aliases text[] collate "C" not null,
  role text collate "C",
  primary key (id, tenant, principal),
  unique (name, tenant, principal)
);

create table memory.person_source (
  tenant text collate "C" not null,
  principal text collate "C" not null,
  person_id text collate "C" not null,
  ordinal integer not null,
  turn_id text collate "C" not null,
  turn_version integer not null,
  -- The names that this turn gives the person, and the role: what is left of them when other turns are erased or corrected.
  names text[] collate "C" not null,
  role text collate "C",
  primary key (person_id, ordinal, tenant, principal),
  unique (person_id, turn_id, tenant, principal),
  foreign key (tenant, principal, person_id) references memory.person (tenant, principal, id) on delete cascade,
  foreign key (tenant, principal, turn_id) references memory.turn (tenant, principal, id)
);

-- Beliefs that still rest on what was said: every source in its current version, and at least one source left (RT-3).
-- Aggregates in scalar subqueries, not `exists`: a subquery for each row takes its few index entries, while joins planned for a store without
-- statistics go through every pair of an owner's rows.
create view memory.permitted_belief with (security_invoker = true) as
  select b.*
  from memory.belief b
  where (
    select bool_and(s.turn_version = (
      select t.version from memory.turn t
      where t.tenant = s.tenant and t.principal = s.principal and t.id = s.turn_id))
    from memory.belief_source s
    where s.tenant = b.tenant and s.principal = b.principal and s.belief_id = b.id);

-- A supersession counts only while the belief that retires is itself permitted; visible_from says from when.
create view memory.permitted_supersession with (security_invoker = true) as
  select x.tenant, x.principal, x.superseded_id, x.belief_id, b.visible_from
  from memory.supersession x
  join memory.permitted_belief b on b.tenant = x.tenant and b.principal = x.principal and b.id = x.belief_id;

-- What holds at a time (FX-7): permitted, visible by then, and not retired by a permitted belief that is itself visible by then.
-- A belief formed from a correction has the time of the corrected turn, so corrections hold at every time.
create function memory.visible_beliefs(as_of text) returns setof memory.permitted_belief stable language sql
  as $$
    select b.*
    from memory.permitted_belief b
    where b.visible_from <= as_of collate "C"
      and (
        select count(*) = 0
        from memory.permitted_supersession x
        where x.tenant = b.tenant and x.principal = b.principal and x.superseded_id = b.id
          and x.visible_from <= as_of collate "C")
  $$;

-- People who still rest on what was said: a source in its current version, or words of their own that are not erased.
create view memory.permitted_person with (security_invoker = true) as
  select p.*
  from memory.person p
  where (
      select bool_or(s.turn_version = (
        select t.version from memory.turn t
        where t.tenant = s.tenant and t.principal = s.principal and t.id = s.turn_id))
      from memory.person_source s
      where s.tenant = p.tenant and s.principal = p.principal and s.person_id = p.id)
    or exists (
      select 1
      from memory.turn t
      where t.tenant = p.tenant and t.principal = p.principal and not t.erased
        and (t.speaker = p.name or t.speaker = any (p.aliases)));

do $$
declare
  name text;
  ceiling text;
begin
  foreach name in array array['turn', 'belief', 'belief_source', 'supersession', 'person', 'person_source'] loop
    execute format('alter table memory.%I enable row level security', name);
    execute format('alter table memory.%I force row level security', name);
    -- Sub-selects, so that a setting is read once a statement and not once a row.
    ceiling := case when name in ('turn', 'belief') then ' and sensitivity <= (select memory.read_ceiling())' else '' end;
    execute format(
      'create policy owner_reads on memory.%I for select using (tenant = (select memory.tenant()) and principal = (select memory.principal())%s)',
      name, ceiling);
    execute format(
      'create policy owner_inserts on memory.%I for insert with check (tenant = (select memory.tenant()) and principal = (select memory.principal()))', name);
    execute format(
      'create policy owner_updates on memory.%I for update using (tenant = (select memory.tenant()) and principal = (select memory.principal()))', name);
    execute format(
      'create policy owner_deletes on memory.%I for delete using (tenant = (select memory.tenant()) and principal = (select memory.principal()))', name);
    execute format('grant select, insert, update, delete on memory.%I to public', name);
  end loop;
end $$;
grant select on memory.permitted_belief, memory.permitted_supersession, memory.permitted_person to public;
