import type { PersonMention } from './belief-store.js';

/** A turn that speaks of a person, with what it gives of them. */
export interface PersonSource {
  /** Its place among the person's sources, from 1; never used twice while the person lasts. */
  readonly ordinal: number;
  readonly turn_id: string;
  readonly turn_version: number;
  /** The names given with this turn as a source: the name first, then aliases. */
  readonly names: readonly string[];
  readonly role: string | null;
}

/** A person with their sources, oldest first. */
export interface PersonRecord {
  readonly id: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly role: string | null;
  readonly sources: readonly PersonSource[];
}

/**
 * Adds a batch's mentions to the people known before, in order.
 *
 * A mention is of the first person whose name equals its name; else of the first who has its name as an alias; else of the first whose
 * name is among its aliases; else of a new person. Comparison is exact, letter case included: `Will` and `will` are not one name. Aliases
 * unite; the later role that is not null wins. A turn cited again counts once, in its latest version and place.
 *
 * @param newIds one id a mention, used where the mention is of a new person.
 */
export function mergePeople(
  known: readonly PersonRecord[],
  mentions: readonly PersonMention[],
  newIds: readonly string[],
): PersonRecord[] {
  const people = [...known];
  mentions.forEach((mention, index) => {
    const place = placeOf(people, mention);
    const person = people[place] ?? {
      id: newIds[index] as string,
      name: mention.name,
      aliases: [],
      role: null,
      sources: [],
    };
    people[place] = withMention(person, mention);
  });
  return people;
}

function placeOf(people: readonly PersonRecord[], mention: PersonMention): number {
  const rules: readonly ((person: PersonRecord) => boolean)[] = [
    (person) => person.name === mention.name,
    (person) => person.aliases.includes(mention.name),
    (person) => mention.aliases.includes(person.name),
  ];
  for (const rule of rules) {
    const place = people.findIndex(rule);
    if (place >= 0) return place;
  }
  return people.length;
}

function withMention(person: PersonRecord, mention: PersonMention): PersonRecord {
  const names = distinct([mention.name, ...mention.aliases]);
  const sources = [...person.sources];
  for (const { id, version } of mention.sources) {
    const place = sources.findIndex((source) => source.turn_id === id);
    const earlier = place < 0 ? undefined : sources.splice(place, 1)[0];
    // What was given with an earlier version of the turn rests on words that are gone.
    const kept = earlier?.turn_version === version ? earlier : undefined;
    sources.push({
      ordinal: Math.max(0, ...person.sources.map((source) => source.ordinal), sources.at(-1)?.ordinal ?? 0) + 1,
      turn_id: id,
      turn_version: version,
      names: distinct([...(kept?.names ?? []), ...names]),
      role: mention.role ?? kept?.role ?? null,
    });
  }
  return {
    ...person,
    aliases: distinct([...person.aliases, ...names]).filter((alias) => alias !== person.name),
    role: mention.role ?? person.role,
    sources,
  };
}

/**
 * A person as far as they rest on the turns that are left: names and role that only an erased or corrected turn gave are gone.
 * The name stays while a turn that is left gives it, or its bearer spoke one; else the first name that is left and that no other person bears
 * takes its place.
 *
 * @param isCurrent whether a source rests on its turn's present version.
 * @param speaks whether a name is the speaker of a turn that is not erased.
 * @param isTaken whether another person bears a name.
 * @returns null where nothing of the person is left. A person whose every source is outdated stays as they are without aliases and role:
 * withheld, not gone, unless they spoke.
 */
export function rebuildPerson(
  person: PersonRecord,
  isCurrent: (source: PersonSource) => boolean,
  speaks: (name: string) => boolean,
  isTaken: (name: string) => boolean,
): PersonRecord | null {
  const current = person.sources.filter(isCurrent);
  const names = distinct(current.flatMap((source) => source.names));
  const spoken = [person.name, ...person.aliases].filter(speaks);
  if (person.sources.length === 0 && spoken.length === 0) return null;
  const left = distinct([...names, ...spoken]);
  const keepsName = left.includes(person.name) || left.length === 0;
  const name = keepsName ? person.name : left.find((candidate) => !isTaken(candidate));
  if (name === undefined) return null;
  const given = current.filter((source) => source.role !== null);
  return {
    ...person,
    name,
    // The order in which the aliases were first given is kept.
    aliases: distinct([person.name, ...person.aliases, ...left]).filter(
      (alias) => alias !== name && left.includes(alias),
    ),
    role: given.at(-1)?.role ?? null,
  };
}

/**
 * Who stays in the bounded People inventory (ST-1): speakers first, then those with the most sources, then those known longest. The
 * order of those who stay is not changed.
 */
export function boundPeople(
  people: readonly PersonRecord[],
  limit: number,
  speaks: (name: string) => boolean,
): PersonRecord[] {
  if (people.length <= limit) return [...people];
  const ranked = people.map((person, place) => ({
    person,
    place,
    speaker: [person.name, ...person.aliases].some(speaks) ? 1 : 0,
  }));
  ranked.sort(
    (a, b) => b.speaker - a.speaker || b.person.sources.length - a.person.sources.length || a.place - b.place,
  );
  const staying = new Set(ranked.slice(0, limit).map(({ person }) => person));
  return people.filter((person) => staying.has(person));
}

function distinct<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}
