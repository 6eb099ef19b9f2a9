-- What recall searches, and the recalls themselves. Each recall is one statement: it names the owner and the ceiling, and row
-- security binds all that it reads. Indexes only find candidates; what is returned is read from the live rows (RT-3).

create schema search;
grant usage on schema search to public;

create table search.document (
  tenant text collate "C" not null,
  principal text collate "C" not null,
  unit text collate "C" not null check (unit in ('turns', 'beliefs')),
  id text collate "C" not null,
  -- The turn's version whose text was indexed; a belief's text never changes.
  version integer not null,
  -- The item's store position: a candidate's place in its ranking is known before its live row is read.
  "position" bigint not null,
  visible_from text collate "C" not null,
  sensitivity smallint not null,
  -- In terms; null where only full-text search is needed.
  length integer,
  lexemes tsvector,
  primary key (tenant, principal, unit, id)
);
create index document_by_lexeme on search.document using gin (lexemes);

create table search.posting (
  tenant text collate "C" not null,
  principal text collate "C" not null,
  unit text collate "C" not null,
  term text collate "C" not null,
  id text collate "C" not null,
  frequency integer not null check (frequency >= 1),
  -- Of its document, so that scoring reads postings alone.
  length integer not null,
  "position" bigint not null,
  visible_from text collate "C" not null,
  sensitivity smallint not null,
  primary key (tenant, principal, unit, term, id)
);

create unique index turn_by_position on memory.turn (position);
create unique index belief_by_position on memory.belief (position);
-- Few turns are ever corrected or erased: whether an index is stale is asked at every recall, of these alone.
create index turn_changed on memory.turn (tenant, principal, id) where version > 1 or erased;

do $$
declare
  name text;
begin
  foreach name in array array['document', 'posting'] loop
    execute format('alter table search.%I enable row level security', name);
    execute format('alter table search.%I force row level security', name);
    -- Sub-selects, so that a setting is read once a statement and not once a row.
    execute format(
      'create policy owner_reads on search.%I for select using '
      '(tenant = (select memory.tenant()) and principal = (select memory.principal()) and sensitivity <= (select memory.read_ceiling()))',
      name);
    execute format(
      'create policy owner_inserts on search.%I for insert with check '
      '(tenant = (select memory.tenant()) and principal = (select memory.principal()))', name);
    execute format(
      'create policy owner_deletes on search.%I for delete using '
      '(tenant = (select memory.tenant()) and principal = (select memory.principal()))', name);
    execute format('grant select, insert, delete on search.%I to public', name);
  end loop;
end $$;

-- The functions below are planned once a connection, without just-in-time compilation: planning would take longer than running.

-- What each of them may return, by unit, time and mode, is `search.items` (0003-modes.sql).

-- Holds to the end of the transaction. Called alone, a recall is its own transaction, so nothing stays on the connection.
create function search.enter(p_tenant text, p_principal text, p_ceiling integer) returns void language plpgsql as $$
begin
  perform set_config('recall.tenant', p_tenant, true),
    set_config('recall.principal', p_principal, true),
    set_config('recall.read_ceiling', p_ceiling::text, true);
end $$;

create function search.shown_text(text text, caption text) returns text immutable language sql
  as $$ select text || case when caption is null then '' else ' [image: ' || caption || ']' end $$;

-- Documents that no longer say what their turns say: corrected or erased after they were indexed.
create function search.stale_documents(p_unit text) returns table (id text) stable language sql as $$
    select d.id
    from memory.turn t
    join search.document d on d.tenant = t.tenant and d.principal = t.principal and d.unit = 'turns' and d.id = t.id
    where p_unit = 'turns' and (t.version > 1 or t.erased) and (t.erased or d.version <> t.version)
    union
    select d.id
    from memory.turn t
    join memory.belief_source s on s.tenant = t.tenant and s.principal = t.principal and s.turn_id = t.id
    join search.document d on d.tenant = s.tenant and d.principal = s.principal and d.unit = 'beliefs' and d.id = s.belief_id
    where p_unit = 'beliefs' and (t.version > 1 or t.erased) and s.turn_version <> t.version
      and not exists (
        select 1 from memory.permitted_belief b
        where b.tenant = d.tenant and b.principal = d.principal and b.id = d.id)
  $$;

-- What there is to index, whatever its sensitivity: all of it, or what replaces the stale documents, which are dropped.
create function search.read_documents(p_tenant text, p_principal text, p_unit text, p_only_stale boolean)
  returns table (id text, version integer, "position" bigint, visible_from text, sensitivity integer, content text)
  language plpgsql as $$
#variable_conflict use_column
declare
  gone text[];
begin
  perform search.enter(p_tenant, p_principal, 3);
  if p_only_stale then
    gone := array(select s.id from search.stale_documents(p_unit) s);
  else
    gone := array(select d.id from search.document d where d.unit = p_unit);
  end if;
  delete from search.posting p where p.unit = p_unit and p.id = any (gone);
  delete from search.document d where d.unit = p_unit and d.id = any (gone);
  return query
    select t.id, t.version, t.position, t.said_at, t.sensitivity::integer, t.speaker || ': ' || search.shown_text(t.text, t.caption)
    from memory.turn t
    where p_unit = 'turns' and not t.erased and (not p_only_stale or t.id = any (gone))
    union all
    select b.id, 1, b.position, b.visible_from, b.sensitivity::integer, b.statement
    from memory.permitted_belief b
    where p_unit = 'beliefs' and (not p_only_stale or b.id = any (gone))
    order by 3;
end $$;

create function search.write_documents(
  p_tenant text, p_principal text, p_unit text, p_documents jsonb, p_full_text boolean,
  p_terms text[], p_ids text[], p_frequencies integer[]
) returns void language plpgsql set plan_cache_mode to force_custom_plan set jit to off as $$
begin
  perform search.enter(p_tenant, p_principal, 3);
  -- A tsvector holds at most a mebibyte: what lies beyond the first 100,000 characters of a text is not searched.
  insert into search.document (tenant, principal, unit, id, version, position, visible_from, sensitivity, length, lexemes)
    select p_tenant, p_principal, p_unit, d.id, d.version, d.position, d.visible_from, d.sensitivity, d.length,
      case when p_full_text then to_tsvector('pg_catalog.english', left(d.content, 100000)) end
    from jsonb_to_recordset(p_documents)
      as d(id text, version integer, "position" bigint, visible_from text, sensitivity smallint, length integer, content text);
  insert into search.posting (tenant, principal, unit, term, id, frequency, length, position, visible_from, sensitivity)
    select p_tenant, p_principal, p_unit, p.term, p.id, p.frequency, d.length, d.position, d.visible_from, d.sensitivity
    from unnest(p_terms, p_ids, p_frequencies) as p(term, id, frequency)
    join jsonb_to_recordset(p_documents)
      as d(id text, "position" bigint, visible_from text, sensitivity smallint, length integer) on d.id = p.id;
end $$;

-- Okapi BM25 (docs/decisions/bm25.md): k1 1.2, b 0.75, idf ln(1 + (N - df + 0.5) / (df + 0.5)). N, df and the mean length are over the
-- documents that the owner may read under the ceiling and that had been said by the time. Terms are summed in one order, so that
-- a score has the same bits everywhere; quantised to 1e-6, ties by store position (RT-2).
create function search.bm25(
  p_tenant text, p_principal text, p_ceiling integer, p_unit text, p_as_of text, p_mode text, p_core integer, p_subjects text[], p_terms text[], p_limit integer
) returns jsonb language plpgsql
set plan_cache_mode to force_generic_plan set jit to off as $$
begin
  perform search.enter(p_tenant, p_principal, p_ceiling);
  if exists (select 1 from search.stale_documents(p_unit)) then
    return jsonb_build_object('stale', true);
  end if;
  return (
    with matched as materialized (
      select p.term, p.frequency::float8 as frequency, p.id, p.position, p.length::float8 as length
      from search.posting p
      where p.unit = p_unit and p.term = any (p_terms) and p.visible_from <= p_as_of
    ),
    corpus as materialized (
      select count(*)::float8 as documents, avg(d.length)::float8 as mean_length
      from search.document d
      where d.unit = p_unit and d.visible_from <= p_as_of
    ),
    weights as materialized (
      select m.term, ln(1 + (c.documents - count(*) + 0.5) / (count(*) + 0.5)) as idf
      from matched m cross join corpus c
      group by m.term, c.documents
    ),
    scored as materialized (
      select m.id, m.position,
        round(sum(w.idf * m.frequency * 2.2 / (m.frequency + 1.2 * (0.25 + 0.75 * m.length / c.mean_length)) order by m.term)::numeric, 6)
          as score
      from matched m join weights w on w.term = m.term cross join corpus c
      group by m.id, m.position
      order by score desc, m.position
    ),
    best as (
      -- Candidates in their order, each looked up alone, until enough are found that may still be recalled.
      select s.score, i.*
      from scored s
      cross join lateral (select * from search.items(p_unit, p_as_of, p_mode, p_core, p_subjects) i where i.id collate "C" = s.id offset 0) i
      order by s.score desc, s.position
      limit p_limit
    )
    select jsonb_build_object('stale', false, 'items', coalesce(jsonb_agg(to_jsonb(b) order by b.score desc, b.position), '[]'))
    from best b
  );
end $$;

-- Postgres text search, the legacy candidate selection: any lexeme of the question, by ts_rank with normalisation 1 (divided by
-- 1 + the logarithm of the length).
create function search.full_text(
  p_tenant text, p_principal text, p_ceiling integer, p_unit text, p_as_of text, p_mode text, p_core integer, p_subjects text[], p_question text, p_limit integer
) returns jsonb language plpgsql
set plan_cache_mode to force_generic_plan set jit to off as $$
declare
  query tsquery;
begin
  perform search.enter(p_tenant, p_principal, p_ceiling);
  if exists (select 1 from search.stale_documents(p_unit)) then
    return jsonb_build_object('stale', true);
  end if;
  select string_agg('''' || replace(replace(l.lexeme, '\', '\\'), '''', '''''') || '''', ' | ')::tsquery into query
    from unnest(to_tsvector('pg_catalog.english', left(p_question, 100000))) l;
  return (
    with scored as materialized (
      select round(ts_rank(d.lexemes, query, 1)::numeric, 6) as score, d.id, d.position
      from search.document d
      where d.unit = p_unit and d.visible_from <= p_as_of and d.lexemes @@ query
      order by score desc, d.position
    ),
    best as (
      select s.score, i.*
      from scored s
      cross join lateral (select * from search.items(p_unit, p_as_of, p_mode, p_core, p_subjects) i where i.id collate "C" = s.id offset 0) i
      order by s.score desc, s.position
      limit p_limit
    )
    select jsonb_build_object('stale', false, 'items', coalesce(jsonb_agg(to_jsonb(b) order by b.score desc, b.position), '[]'))
    from best b
  );
end $$;

-- Store positions of all that may be recalled, which is what vector search may score, and the versions of those that were corrected.
create function search.allowed(p_tenant text, p_principal text, p_ceiling integer, p_unit text, p_as_of text, p_mode text, p_core integer, p_subjects text[])
  returns jsonb language plpgsql
set plan_cache_mode to force_generic_plan set jit to off as $$
begin
  perform search.enter(p_tenant, p_principal, p_ceiling);
  return (
    select jsonb_build_object(
      'positions', coalesce(jsonb_agg(i.position order by i.position), '[]'),
      'corrected', coalesce(jsonb_agg(jsonb_build_array(i.position, i.version)) filter (where i.version > 1), '[]'))
    from search.items(p_unit, p_as_of, p_mode, p_core, p_subjects) i
  );
end $$;

-- The items at store positions, as far as they may still be recalled, in any order.
create function search.at_positions(
  p_tenant text, p_principal text, p_ceiling integer, p_unit text, p_as_of text, p_mode text, p_core integer, p_subjects text[], p_positions bigint[]
) returns jsonb language plpgsql
set plan_cache_mode to force_generic_plan set jit to off as $$
begin
  perform search.enter(p_tenant, p_principal, p_ceiling);
  return (
    select jsonb_build_object('stale', false, 'items', coalesce(jsonb_agg(to_jsonb(i)), '[]'))
    from unnest(p_positions) p(wanted)
    cross join lateral (select * from search.items(p_unit, p_as_of, p_mode, p_core, p_subjects) i where i.position = p.wanted offset 0) i
  );
end $$;

-- Everything in order of time, then of store position; with turns given, only what rests on any of them.
create function search.in_time(
  p_tenant text, p_principal text, p_ceiling integer, p_unit text, p_as_of text, p_mode text, p_core integer, p_subjects text[], p_turns text[]
) returns jsonb language plpgsql
set plan_cache_mode to force_generic_plan set jit to off as $$
begin
  perform search.enter(p_tenant, p_principal, p_ceiling);
  return (
    select jsonb_build_object('stale', false, 'items', coalesce(jsonb_agg(to_jsonb(i) order by i.at collate "C", i.position), '[]'))
    from search.items(p_unit, p_as_of, p_mode, p_core, p_subjects) i
    where p_turns is null or i.sources ?| p_turns
  );
end $$;

-- The latest first; of one time, the last stored first.
create function search.latest(
  p_tenant text, p_principal text, p_ceiling integer, p_unit text, p_as_of text, p_mode text, p_core integer, p_subjects text[], p_limit integer
) returns jsonb language plpgsql
set plan_cache_mode to force_generic_plan set jit to off as $$
begin
  perform search.enter(p_tenant, p_principal, p_ceiling);
  return (
    with last as (
      select i.* from search.items(p_unit, p_as_of, p_mode, p_core, p_subjects) i order by i.at collate "C" desc, i.position desc limit p_limit
    )
    select jsonb_build_object('stale', false, 'items',
      coalesce(jsonb_agg(to_jsonb(l) order by l.at collate "C" desc, l.position desc), '[]'))
    from last l
  );
end $$;
