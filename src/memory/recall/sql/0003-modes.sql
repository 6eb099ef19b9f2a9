-- What may be recalled as of a time, in its current permitted form, by mode (RT-1, RT-3, FX-7; docs/recall-modes.md). Row security binds
-- all of it; corrections and erasures hold in every mode.

-- The bounded core: the current beliefs that rest on the most turns; of equals the surer, then the later, then the one stored first.
create function search.core(p_as_of text, p_size integer) returns text[] stable language sql as $$
    select array(
      select b.id
      from memory.visible_beliefs(p_as_of) b
      order by (
          select count(*)
          from memory.belief_source s
          where s.tenant = b.tenant and s.principal = b.principal and s.belief_id = b.id) desc,
        b.confidence desc, b.observed_at collate "C" desc, b.position
      limit p_size)
  $$;

-- The names under which subjects are known by a time: their own, and every name that a turn said by then, in its present version, gives
-- a person of whom such a turn gives one of theirs.
create function search.names_of(p_as_of text, p_subjects text[]) returns text[] stable language sql as $$
    with given as (
      select s.person_id, n.name
      from memory.person_source s
      join memory.turn t
        on t.tenant = s.tenant and t.principal = s.principal and t.id = s.turn_id and t.version = s.turn_version
      cross join lateral unnest(s.names) as n(name)
      where not t.erased and t.said_at <= p_as_of collate "C"
    )
    select array(
      select subject collate "C" from unnest(p_subjects) as asked(subject)
      union
      select g.name collate "C"
      from given g
      where g.person_id in (select h.person_id from given h where h.name collate "C" = any (p_subjects)))
  $$;

-- Whether a turn, in its present version, is cited for a person of one of the names.
create function search.speaks_of(p_turn memory.turn, p_names text[]) returns boolean stable language sql as $$
    select exists (
      select 1
      from memory.person_source s
      where s.tenant = p_turn.tenant and s.principal = p_turn.principal and s.turn_id = p_turn.id
        and s.turn_version = p_turn.version and s.names collate "C" && p_names)
  $$;

-- Sub-selects without outer references, so that a statement finds its core or its names once.
create function search.items(p_unit text, p_as_of text, p_mode text, p_core integer, p_subjects text[])
  returns table (id text, version integer, "position" bigint, at text, who text, text text, sources jsonb)
  stable language sql as $$
    select t.id, t.version, t.position, t.said_at, t.speaker, search.shown_text(t.text, t.caption), jsonb_build_array(t.id)
    from memory.turn t
    where p_unit = 'turns' and not t.erased and t.said_at <= p_as_of collate "C"
      and case
        when p_mode = 'people' then
          t.speaker = any ((select search.names_of(p_as_of, p_subjects)) collate "C")
          or search.speaks_of(t, (select search.names_of(p_as_of, p_subjects)))
        else p_mode <> 'core'
      end
    union all
    select b.id, 1, b.position, b.observed_at, array_to_string(b.subjects, ', '), b.statement,
      (select jsonb_agg(s.turn_id order by s.ordinal)
       from memory.belief_source s
       where s.tenant = b.tenant and s.principal = b.principal and s.belief_id = b.id)
    from (
      select v.* from memory.visible_beliefs(p_as_of) v where p_mode <> 'historical'
      union all
      -- Superseded beliefs too.
      select p.* from memory.permitted_belief p where p_mode = 'historical' and p.visible_from <= p_as_of collate "C"
    ) b
    where p_unit = 'beliefs'
      and case p_mode
        when 'core' then b.id = any ((select search.core(p_as_of, p_core)) collate "C")
        when 'people' then b.subjects collate "C" && (select search.names_of(p_as_of, p_subjects))
        else true
      end
  $$;
