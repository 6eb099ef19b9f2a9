/**
 * The statements of the belief store. Each is sent with parameters; lists travel as one JSON parameter, so that a batch is a few round
 * trips. Row security confines all of them to the transaction's owner. Positions follow the order of the list.
 */

export const ANY_TURN = 'select exists (select 1 from memory.turn) as found';

export const INSERT_TURNS = `
insert into memory.turn (tenant, principal, id, session, said_at, speaker, text, caption, sensitivity)
select memory.tenant(), memory.principal(), r.id, r.session, r.said_at, r.speaker, r.text, r.caption, r.sensitivity
from rows from (json_to_recordset($1::json) as (
  id text, session text, said_at text, speaker text, text text, caption text, sensitivity smallint)) with ordinality
  as r (id, session, said_at, speaker, text, caption, sensitivity, place)
order by r.place`;

export const CORRECT_TURN = `
update memory.turn set text = $2, version = version + 1
where id = $1 and not erased
returning id, version, session, said_at, speaker, text, caption, sensitivity`;

export const TURN_ERASED = 'select erased from memory.turn where id = $1';

export const ERASE_TURN = `
update memory.turn set text = null, caption = null, erased = true
where id = $1
returning id`;

export const DELETE_BELIEFS_RESTING_ON_TURN_ALONE = `
delete from memory.belief b
where exists (select 1 from memory.belief_source s where s.belief_id = b.id and s.turn_id = $1)
  and not exists (select 1 from memory.belief_source s where s.belief_id = b.id and s.turn_id <> $1)`;

export const DELETE_BELIEF_SOURCES_OF_TURN = 'delete from memory.belief_source where turn_id = $1';

export const DELETE_PERSON_SOURCES_OF_TURN = 'delete from memory.person_source where turn_id = $1';

/** Everything that holds after all that was formed so far, in one round trip: no civil time is later than the last one of the calendar. */
export const CURRENT_STATE = `
select
  (select coalesce(json_agg(json_build_object(
      'id', b.id, 'statement', b.statement, 'subjects', b.subjects, 'observed_at', b.observed_at) order by b.position), '[]')
    from memory.visible_beliefs('9999-12-31T23:59:59') b) as beliefs,
  (select coalesce(json_agg(json_build_object('name', p.name, 'aliases', p.aliases, 'role', p.role) order by p.position), '[]')
    from memory.permitted_person p) as people`;

/** Beliefs, their sources and what they retire: one statement, since each round trip counts in a replay. */
export const INSERT_BELIEFS = `
with belief as (
  insert into memory.belief
    (tenant, principal, id, batch, statement, subjects, confidence, observed_at, visible_from, sensitivity)
  select memory.tenant(), memory.principal(), r.id, r.batch, r.statement, r.subjects, r.confidence, r.observed_at, r.visible_from, r.sensitivity
  from rows from (json_to_recordset($1::json) as (
    id text, batch text, statement text, subjects text[], confidence double precision, observed_at text, visible_from text,
    sensitivity smallint)) with ordinality
    as r (id, batch, statement, subjects, confidence, observed_at, visible_from, sensitivity, place)
  order by r.place
), source as (
  insert into memory.belief_source (tenant, principal, belief_id, ordinal, turn_id, turn_version)
  select memory.tenant(), memory.principal(), r.belief_id, r.ordinal, r.turn_id, r.turn_version
  from json_to_recordset($2::json) as r (belief_id text, ordinal integer, turn_id text, turn_version integer)
)
insert into memory.supersession (tenant, principal, belief_id, superseded_id)
select memory.tenant(), memory.principal(), r.belief_id, r.superseded_id
from json_to_recordset($3::json) as r (belief_id text, superseded_id text)`;

/** People with their sources, and everyone who speaks: what merging needs, in one round trip. */
export const PEOPLE_AND_SPEAKERS = `
select
  (select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name, 'aliases', p.aliases, 'role', p.role, 'sources', coalesce((
      select json_agg(json_build_object('ordinal', s.ordinal, 'turn_id', s.turn_id, 'turn_version', s.turn_version,
        'names', s.names, 'role', s.role) order by s.ordinal)
      from memory.person_source s where s.person_id = p.id), '[]')) order by p.position), '[]')
    from memory.person p) as people,
  array(select distinct speaker from memory.turn where not erased) as speakers`;

export const OUTDATED_PERSON_SOURCES = `
select s.person_id, s.ordinal
from memory.person_source s join memory.turn t on t.id = s.turn_id
where s.turn_version <> t.version`;

export const DELETE_PEOPLE = 'delete from memory.person where id = any ($1)';

export const WRITE_PEOPLE = `
insert into memory.person (tenant, principal, id, name, aliases, role)
select memory.tenant(), memory.principal(), r.id, r.name, r.aliases, r.role
from rows from (json_to_recordset($1::json) as (id text, name text, aliases text[], role text)) with ordinality
  as r (id, name, aliases, role, place)
order by r.place
on conflict (tenant, principal, id) do update set name = excluded.name, aliases = excluded.aliases, role = excluded.role`;

export const DELETE_PERSON_SOURCES = `
delete from memory.person_source s
using json_to_recordset($1::json) as r (person_id text, ordinal integer)
where s.person_id = r.person_id and s.ordinal = r.ordinal`;

export const INSERT_PERSON_SOURCES = `
insert into memory.person_source (tenant, principal, person_id, ordinal, turn_id, turn_version, names, role)
select memory.tenant(), memory.principal(), r.person_id, r.ordinal, r.turn_id, r.turn_version, r.names, r.role
from json_to_recordset($1::json) as r (
  person_id text, ordinal integer, turn_id text, turn_version integer, names text[], role text)`;

export const COUNTS = `
select (select count(*)::integer from memory.belief) as beliefs, (select count(*)::integer from memory.person) as people`;
