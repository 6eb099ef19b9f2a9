import { describe, expect, test } from 'vitest';
import type { PersonMention } from './belief-store.js';
import { boundPeople, mergePeople, type PersonRecord, rebuildPerson } from './people.js';

const mention = (name: string, more: Partial<Omit<PersonMention, 'name'>> = {}): PersonMention => ({
  name,
  aliases: [],
  role: null,
  sources: [{ id: 't1', version: 1 }],
  ...more,
});
const merged = (...mentions: PersonMention[]): PersonRecord[] =>
  mergePeople(
    [],
    mentions,
    mentions.map((_mention, index) => `p${index + 1}`),
  );
const never = (): boolean => false;
const always = (): boolean => true;

describe('ST-1 merging people', () => {
  test('ST-1 a mention is of the person whose name it is, then of the one whose alias it is, then of one it gives as alias', () => {
    const people = merged(
      mention('Melanie', { aliases: ['Mel'] }),
      mention('Mel', { aliases: ['Em'] }),
      mention('Melissa', { aliases: ['Mel'] }),
      mention('Doctor Melissa', { aliases: ['Melissa'] }),
    );
    expect(people.map((person) => [person.id, person.name, person.aliases])).toEqual([
      ['p1', 'Melanie', ['Mel', 'Em']],
      ['p3', 'Melissa', ['Mel', 'Doctor Melissa']],
    ]);
  });

  test('ST-1 names are compared exactly, letter case included', () => {
    expect(merged(mention('Will'), mention('will')).map((person) => person.name)).toEqual(['Will', 'will']);
  });

  test('ST-1 the later role wins, and none does not unsay one', () => {
    expect(merged(mention('A', { role: 'nurse' }), mention('A', { role: 'doctor' }), mention('A'))[0]?.role).toBe(
      'doctor',
    );
  });

  test('ST-1 a turn that is cited again counts once; with a new version, what the old one gave is dropped', () => {
    const first = merged(mention('A', { aliases: ['Old'], role: 'x' }));
    const again = mergePeople(first, [mention('A', { aliases: ['B'] })], ['-'])[0];
    expect(again?.sources).toEqual([
      { ordinal: 2, turn_id: 't1', turn_version: 1, names: ['A', 'Old', 'B'], role: 'x' },
    ]);
    const corrected = mergePeople(first, [mention('A', { sources: [{ id: 't1', version: 2 }] })], ['-'])[0];
    expect(corrected?.sources).toEqual([{ ordinal: 2, turn_id: 't1', turn_version: 2, names: ['A'], role: null }]);
  });
});

describe('FX-2 rebuilding a person after a turn is gone', () => {
  const person = merged(
    mention('Melanie', { aliases: ['Mel'], role: 'cook', sources: [{ id: 't1', version: 1 }] }),
    mention('Mel', { role: 'singer', sources: [{ id: 't2', version: 1 }] }),
  )[0]!;
  const without = (turn: string): PersonRecord => ({
    ...person,
    sources: person.sources.filter((source) => source.turn_id !== turn),
  });

  test('ST-1 nothing changes while everything is left', () => {
    expect(rebuildPerson(person, always, never, never)).toEqual(person);
  });

  test('ST-1 a name that only the gone turn gave is replaced by one that is left', () => {
    expect(rebuildPerson(without('t1'), always, never, never)).toMatchObject({
      name: 'Mel',
      aliases: [],
      role: 'singer',
    });
    expect(rebuildPerson(without('t2'), always, never, never)).toMatchObject({
      name: 'Melanie',
      aliases: ['Mel'],
      role: 'cook',
    });
  });

  test('ST-1 a name that its bearer spoke under stays', () => {
    const rebuilt = rebuildPerson(without('t1'), always, (name) => name === 'Melanie', never);
    expect(rebuilt).toMatchObject({ name: 'Melanie', aliases: ['Mel'] });
  });

  test('ST-1 without a source only a speaker is left, under the name spoken under', () => {
    const nobody = { ...person, sources: [] };
    expect(rebuildPerson(nobody, always, never, never)).toBeNull();
    expect(rebuildPerson(nobody, always, (name) => name === 'Mel', never)).toMatchObject({
      name: 'Mel',
      aliases: [],
      role: null,
    });
  });

  test('ST-1 where another person bears the only name that is left, nobody is left', () => {
    expect(rebuildPerson(without('t1'), always, never, (name) => name === 'Mel')).toBeNull();
  });

  test('ST-1 a person whose every source is outdated keeps the name alone', () => {
    expect(rebuildPerson(person, never, never, never)).toMatchObject({ name: 'Melanie', aliases: [], role: null });
  });
});

test('ST-1 speakers stay first, then those with the most sources, then those known longest; the order is kept', () => {
  const sources = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `t${index}`, version: 1 }));
  const people = merged(
    mention('One', { sources: sources(1) }),
    mention('Two', { sources: sources(1) }),
    mention('Three', { sources: sources(3) }),
    mention('Speaker', { sources: sources(1) }),
    mention('Late', { sources: sources(1) }),
  );
  const staying = (limit: number): string[] =>
    boundPeople(people, limit, (name) => name === 'Speaker').map((person) => person.name);
  expect(staying(9)).toEqual(['One', 'Two', 'Three', 'Speaker', 'Late']);
  expect(staying(3)).toEqual(['One', 'Three', 'Speaker']);
  expect(staying(1)).toEqual(['Speaker']);
});
