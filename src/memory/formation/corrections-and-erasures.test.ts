import { expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/postgres.js';
import {
  formScripted,
  SCRIPTED_SETTINGS,
  type Script,
  ScriptedProvider,
  turn,
} from '../../../test/support/scripted-formation.js';
import type { CorrectionEvent, ErasureEvent, HistoryEvent } from '../../fixture/history.js';
import { readBeliefState } from '../../parity/read-belief-state.js';
import { beliefMigrations } from '../beliefs/belief-migrations.js';
import { inOwnerTransaction } from '../beliefs/owner-transaction.js';

const correction = (of: string, text: string): CorrectionEvent => ({
  kind: 'correction',
  id: 'c1',
  of,
  at: '2024-05-01T09:00:00',
  text,
});
const erasure = (of: string): ErasureEvent => ({ kind: 'erasure', id: `e-${of}`, of, at: '2024-05-01T09:00:00' });

async function formed(history: readonly HistoryEvent[], script: Script) {
  const scratch = await testDatabase(beliefMigrations());
  const provider = new ScriptedProvider(script);
  await formScripted(scratch.runtime, history, provider);
  const { state } = await readBeliefState(scratch.admin);
  const statements = (batch: string): string[] => provider.shown(batch).beliefs.map((belief) => belief.statement);
  return { scratch, provider, statements, tables: state.tables };
}

const WITH_SUPERSESSION: Script = {
  s1: { beliefs: [{ statement: 'The clinic opens at eight.', sources: ['s1:1'] }] },
  s2: { beliefs: [{ statement: 'The clinic opens at nine.', sources: ['s2:1'], supersedes: ['B1'] }] },
};
const CLINIC = [
  turn('s1:1', 'Ada', 'We open at eight.'),
  turn('s2:1', 'Ada', 'We open at nine now.', { caption: 'a door' }),
];

test('FX-2 a correction withholds what rests on the earlier words, and what it retired is current again', async () => {
  const { provider, statements, tables } = await formed(
    [...CLINIC, turn('s3:1', 'Bo', 'Fine.'), correction('s2:1', 'We open at ten now.'), turn('s4:1', 'Bo', 'Fine.')],
    {
      ...WITH_SUPERSESSION,
      'correction:c1': {
        beliefs: [{ statement: 'The clinic opens at ten.', sources: ['s2:1'], supersedes: ['B1'] }],
      },
    },
  );
  expect(statements('s3')).toEqual(['The clinic opens at nine.']);
  expect(statements('correction:c1')).toEqual(['The clinic opens at eight.']);
  expect(provider.shown('correction:c1').turns).toMatchObject([
    { id: 's2:1', text: 'We open at ten now.', caption: 'a door', corrected: true },
  ]);
  expect(statements('s4')).toEqual(['The clinic opens at ten.']);
  // Withheld is not gone: the state that parity compares holds the outdated belief with the version that it cites.
  expect(tables.belief?.map((record) => record.statement)).toContain('The clinic opens at nine.');
  expect(tables.belief_source?.map((record) => [record.belief_id, record.turn_version])).toEqual([
    ['b1.1', 1],
    ['b2.1', 1],
    ['b4.1', 2],
  ]);
});

test('FX-7 a belief formed from a correction holds from the time of the corrected turn', async () => {
  const { scratch } = await formed([...CLINIC, correction('s1:1', 'We open at seven.')], {
    ...WITH_SUPERSESSION,
    'correction:c1': { beliefs: [{ statement: 'The clinic opened at seven.', sources: ['s1:1'] }] },
  });
  const rows = await inOwnerTransaction(scratch.runtime, SCRIPTED_SETTINGS.owner, 'restricted', (query) =>
    query('select id from memory.visible_beliefs($1)', ['2024-01-20T00:00:00']),
  );
  expect(rows).toEqual([{ id: 'b3.1' }]);
});

test('FX-2 an erasure takes the words, their caption and what rests on them alone out of every later request', async () => {
  const secret = turn('s1:2', 'Bo', 'My locker code is HERON-77.', { caption: 'a note: HERON-78' });
  const { provider, statements, tables } = await formed(
    [
      turn('s1:1', 'Ada', 'Hello.'),
      secret,
      turn('s2:1', 'Ada', 'Hello again.'),
      erasure('s1:2'),
      turn('s3:1', 'Ada', 'Bye.'),
    ],
    {
      s1: {
        beliefs: [
          { statement: "Bo's locker code is HERON-77.", sources: ['s1:2'] },
          { statement: 'Ada and Bo greeted each other.', sources: ['s1:1', 's1:2'] },
        ],
        people: [{ name: 'Bo', aliases: ['HERON-79'], role: 'HERON-80', sources: ['s1:2'] }],
      },
      s2: { beliefs: [{ statement: 'Ada came back.', sources: ['s2:1'] }] },
    },
  );
  const bytes = provider.requests.map((request) => JSON.stringify(request));
  // The positive control: the words were there, in the batch itself and in the requests until the erasure.
  expect(bytes[0]).toMatch(/HERON-77.*HERON-78|HERON-78.*HERON-77/);
  expect(bytes[1]).toMatch(/HERON-77/);
  expect(bytes[1]).toMatch(/HERON-79.*HERON-80/);
  expect(bytes[2]).not.toContain('HERON');
  expect(statements('s3')).toEqual(['Ada and Bo greeted each other.', 'Ada came back.']);
  expect(JSON.stringify(tables)).not.toContain('HERON');
  expect(tables.turn?.[1]).toMatchObject({ id: 's1:2', text: null, caption: null, erased: true });
  expect(tables.belief_source?.map((record) => record.turn_id)).toEqual(['s1:1', 's2:1']);
});

test('FX-2 an erased belief takes its links along: what it retired is current again', async () => {
  const { statements, tables } = await formed(
    [...CLINIC, erasure('s2:1'), turn('s3:1', 'Bo', 'Fine.')],
    WITH_SUPERSESSION,
  );
  expect(statements('s3')).toEqual(['The clinic opens at eight.']);
  expect(tables.supersession).toEqual([]);
});

test('FX-2 a correction that is erased leaves neither text', async () => {
  const { provider, tables } = await formed(
    [
      ...CLINIC,
      correction('s2:1', 'We open at ten now.'),
      erasure('s2:1'),
      erasure('s2:1'),
      turn('s4:1', 'Bo', 'Fine.'),
    ],
    { ...WITH_SUPERSESSION, 'correction:c1': { beliefs: [{ statement: 'Opens at ten.', sources: ['s2:1'] }] } },
  );
  expect(provider.shown('s4').beliefs.map((belief) => belief.statement)).toEqual(['The clinic opens at eight.']);
  expect(JSON.stringify(tables)).not.toMatch(/at nine|at ten/);
});

test('FX-2 a correction after an erasure is refused: an erasure always holds', async () => {
  const history = [...CLINIC, erasure('s2:1'), correction('s2:1', 'We open at ten now.')];
  await expect(formed(history, {})).rejects.toMatchObject({ code: 'CORRECTION_OF_ERASED_TURN', kind: 'invalid-input' });
});

const PEOPLE: readonly HistoryEvent[] = [
  turn('s1:1', 'Ada', 'Zed, whom we call Zip, is our cook.'),
  turn('s1:2', 'Ada', 'Zed sings.'),
  turn('s1:3', 'Bo', 'I am Bo.'),
  turn('s2:1', 'Bo', 'Kim left.'),
];
const PEOPLE_SCRIPT: Script = {
  s1: {
    people: [
      { name: 'Zed', aliases: ['Zip'], role: 'cook', sources: ['s1:1'] },
      { name: 'Zed', sources: ['s1:2'] },
      { name: 'Bo', sources: ['s1:3'] },
    ],
  },
  s2: { people: [{ name: 'Kim', sources: ['s2:1'] }] },
};

test('FX-2 names and roles that only an erased turn gave are gone; a speaker of another turn stays, others go', async () => {
  const { provider, tables } = await formed(
    [
      ...PEOPLE,
      turn('s3:1', 'Ada', 'Hm.'),
      erasure('s1:1'),
      erasure('s1:3'),
      erasure('s2:1'),
      turn('s4:1', 'Bo', 'I am back.'),
      turn('s5:1', 'Ada', 'Hm.'),
    ],
    { ...PEOPLE_SCRIPT, s4: { people: [{ name: 'Bo', sources: ['s4:1'] }] } },
  );
  expect(provider.shown('s3').people).toEqual([
    { aliases: ['Zip'], name: 'Zed', role: 'cook' },
    { aliases: [], name: 'Bo', role: null },
    { aliases: [], name: 'Kim', role: null },
  ]);
  expect(provider.shown('s4').people).toEqual([{ aliases: [], name: 'Zed', role: null }]);
  expect(provider.shown('s5').people).toEqual([
    { aliases: [], name: 'Zed', role: null },
    { aliases: [], name: 'Bo', role: null },
  ]);
  expect(tables.person_source).toMatchObject([
    { person_id: 'p1.1', turn_id: 's1:2' },
    { person_id: 'p7.1', turn_id: 's4:1' },
  ]);
});

test('FX-2 a speaker whose cited words are all erased stays while another turn of theirs is left', async () => {
  const { provider } = await formed([...PEOPLE, erasure('s1:3'), turn('s3:1', 'Ada', 'Hm.')], PEOPLE_SCRIPT);
  expect(provider.shown('s3').people.map((person) => person.name)).toEqual(['Zed', 'Bo', 'Kim']);
});

test('FX-2 a correction withholds a person whom only the earlier words gave, until the new words name them', async () => {
  const history = [...PEOPLE, correction('s2:1', 'Kit left.'), turn('s3:1', 'Ada', 'Hm.')];
  const { provider, tables } = await formed(history, {
    ...PEOPLE_SCRIPT,
    'correction:c1': { people: [{ name: 'Kit', sources: ['s2:1'] }] },
  });
  expect(provider.shown('correction:c1').people.map((person) => person.name)).toEqual(['Zed', 'Bo']);
  expect(provider.shown('s3').people.map((person) => person.name)).toEqual(['Zed', 'Bo', 'Kit']);
  expect(tables.person?.map((record) => record.name)).toEqual(['Zed', 'Bo', 'Kim', 'Kit']);
});
