import { internalFault } from '../../core/errors.js';
import type { PersistSettings, PersonMention } from './belief-store.js';
import type { Query } from './owner-transaction.js';
import { boundPeople, mergePeople, type PersonRecord, rebuildPerson } from './people.js';
import * as statements from './statements.js';

/** Merges a batch's mentions into the people of the owner, and keeps the inventory within its bound. */
export async function persistMentions(
  query: Query,
  mentions: readonly PersonMention[],
  newIds: readonly string[],
  settings: PersistSettings,
): Promise<void> {
  if (mentions.length === 0) return;
  const { people: before, speaks } = await knownPeople(query);
  const merged = mergePeople(before, mentions, newIds);
  await writePeople(query, before, boundPeople(merged, settings.people_limit, speaks));
}

/** Takes back what only turns that were corrected or erased gave of people. */
export async function rebuildPeople(query: Query): Promise<void> {
  const { people: before, speaks } = await knownPeople(query);
  if (before.length === 0) return;
  const rows = await query<{ person_id: string; ordinal: number }>(statements.OUTDATED_PERSON_SOURCES);
  const outdated = new Set(rows.map((row) => `${row.ordinal} ${row.person_id}`));
  const after: PersonRecord[] = [];
  before.forEach((person, place) => {
    const others = [...after, ...before.slice(place + 1)];
    const rebuilt = rebuildPerson(
      person,
      ({ ordinal }) => !outdated.has(`${ordinal} ${person.id}`),
      speaks,
      (name) => others.some((other) => other.name === name),
    );
    if (rebuilt !== null) after.push(rebuilt);
  });
  await writePeople(query, before, after);
}

async function knownPeople(
  query: Query,
): Promise<{ readonly people: readonly PersonRecord[]; readonly speaks: (name: string) => boolean }> {
  const [row] = await query<{ people: PersonRecord[]; speakers: string[] }>(statements.PEOPLE_AND_SPEAKERS);
  if (row === undefined) throw internalFault('PEOPLE_EMPTY', 'reading the people gave no row');
  const names = new Set(row.speakers);
  return { people: row.people, speaks: (name) => names.has(name) };
}

/** Writes the difference: who left, who is new or changed, and their sources. */
async function writePeople(
  query: Query,
  before: readonly PersonRecord[],
  after: readonly PersonRecord[],
): Promise<void> {
  const earlier = new Map(before.map((person) => [person.id, person]));
  const staying = new Set(after.map((person) => person.id));
  const gone = before.filter((person) => !staying.has(person.id)).map((person) => person.id);
  const changed = after.filter((person) => earlier.get(person.id) !== person);
  const dropped = changed.flatMap((person) => sourcesOnlyIn(earlier.get(person.id), person));
  const added = changed.flatMap((person) => sourcesOnlyIn(person, earlier.get(person.id)));
  if (gone.length > 0) await query(statements.DELETE_PEOPLE, [gone]);
  if (dropped.length > 0) await query(statements.DELETE_PERSON_SOURCES, [JSON.stringify(dropped)]);
  if (changed.length > 0) await query(statements.WRITE_PEOPLE, [JSON.stringify(changed)]);
  if (added.length > 0) await query(statements.INSERT_PERSON_SOURCES, [JSON.stringify(added)]);
}

function sourcesOnlyIn(person: PersonRecord | undefined, other: PersonRecord | undefined): object[] {
  if (person === undefined) return [];
  const known = new Set(other?.sources.map((source) => source.ordinal));
  return person.sources
    .filter((source) => !known.has(source.ordinal))
    .map((source) => ({ person_id: person.id, ...source }));
}
