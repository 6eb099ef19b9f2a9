import { expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/postgres.js';
import {
  formScripted,
  SCRIPTED_SETTINGS,
  type Script,
  ScriptedProvider,
  turn,
} from '../../../test/support/scripted-formation.js';
import type { HistoryEvent } from '../../fixture/history.js';
import { readBeliefState } from '../../parity/read-belief-state.js';
import type { ScratchDatabase } from '../../postgres/postgres.js';
import { beliefMigrations } from '../beliefs/belief-migrations.js';
import { inOwnerTransaction } from '../beliefs/owner-transaction.js';
import { countFormationCalls, formHistory } from './form-history.js';

const database = (): Promise<ScratchDatabase> => testDatabase(beliefMigrations());

const MOVES: readonly HistoryEvent[] = [
  turn('s1:1', 'Ada', 'I live in Oslo.'),
  turn('s1:2', 'Bo', 'I live in Rome.', { caption: 'a square in Rome' }),
  turn('s2:1', 'Ada', 'I moved to Bergen.'),
  turn('s3:1', 'Bo', 'Nothing new here.'),
];

const MOVES_SCRIPT: Script = {
  s1: {
    beliefs: [
      { statement: 'Ada lives in Oslo.', subjects: ['Ada'], sources: ['s1:1'] },
      { statement: 'Bo lives in Rome.', subjects: ['Bo'], sources: ['s1:2'], observed_at: '2023-12-24' },
    ],
    people: [{ name: 'Ada', sources: ['s1:1'] }],
  },
  s2: { beliefs: [{ statement: 'Ada lives in Bergen.', subjects: ['Ada'], sources: ['s2:1'], supersedes: ['B1'] }] },
};

async function visibleAt(scratch: ScratchDatabase, asOf: string): Promise<string[]> {
  const rows = await inOwnerTransaction(scratch.runtime, SCRIPTED_SETTINGS.owner, 'restricted', (query) =>
    query<{ statement: string }>('select statement from memory.visible_beliefs($1) order by position', [asOf]),
  );
  return rows.map((row) => row.statement);
}

test('FX-2 batches are asked in the order of the history, a correction alone, an erasure between calls', async () => {
  const scratch = await database();
  const history: HistoryEvent[] = [
    turn('s1:1', 'Ada', 'one'),
    turn('s1:2', 'Bo', 'two'),
    { kind: 'correction', id: 'c1', of: 's1:1', at: '2024-01-02T10:00:00', text: 'one, corrected' },
    { kind: 'erasure', id: 'e1', of: 's1:2', at: '2024-01-03T10:00:00' },
    turn('s2:1', 'Ada', 'three'),
  ];
  const provider = new ScriptedProvider({});
  const told: string[] = [];
  const outcome = await formHistory(
    scratch.runtime,
    history,
    SCRIPTED_SETTINGS,
    provider,
    new AbortController().signal,
    (done, total) => told.push(`${done}/${total}`),
  );
  expect(provider.requests.map((request) => request.metadata.batch)).toEqual(['s1', 'correction:c1', 's2']);
  expect(provider.shown('correction:c1').turns).toEqual([
    { at: '2024-01-01T10:01:00', caption: null, corrected: true, id: 's1:1', speaker: 'Ada', text: 'one, corrected' },
  ]);
  expect(told).toEqual(['1/3', '2/3', '3/3']);
  expect(outcome).toEqual({ calls: 3, beliefs: 0, people: 0 });
  expect(countFormationCalls(history)).toBe(3);
});

test('FX-2 finished turns are stored even where no belief arises', async () => {
  const scratch = await database();
  await formScripted(scratch.runtime, MOVES, new ScriptedProvider({}));
  const { state, beliefs } = await readBeliefState(scratch.admin);
  expect(beliefs).toBe(0);
  expect(state.tables.turn?.map((record) => [record.position, record.id, record.text])).toEqual([
    [1, 's1:1', 'I live in Oslo.'],
    [2, 's1:2', 'I live in Rome.'],
    [3, 's2:1', 'I moved to Bergen.'],
    [4, 's3:1', 'Nothing new here.'],
  ]);
});

test('FB-4 in mode supersede a later belief retires the one it names, both are kept, and requests show the current one', async () => {
  const scratch = await database();
  const provider = new ScriptedProvider(MOVES_SCRIPT);
  expect(await formScripted(scratch.runtime, MOVES, provider)).toEqual({ calls: 3, beliefs: 3, people: 1 });
  expect(provider.shown('s2').beliefs.map((belief) => [belief.ref, belief.statement])).toEqual([
    ['B1', 'Ada lives in Oslo.'],
    ['B2', 'Bo lives in Rome.'],
  ]);
  expect(provider.shown('s3').beliefs.map((belief) => [belief.ref, belief.statement, belief.observed_at])).toEqual([
    ['B1', 'Bo lives in Rome.', '2023-12-24'],
    ['B2', 'Ada lives in Bergen.', '2024-02-01T10:01:00'],
  ]);
  const { state } = await readBeliefState(scratch.admin);
  expect(state.tables.belief?.map((record) => record.id)).toEqual(['b1.1', 'b1.2', 'b2.1']);
  expect(state.tables.supersession).toMatchObject([{ belief_id: 'b2.1', superseded_id: 'b1.1' }]);
});

test('FB-4 in mode append nothing is retired', async () => {
  const scratch = await database();
  const provider = new ScriptedProvider(MOVES_SCRIPT);
  await formScripted(scratch.runtime, MOVES, provider, { persistence: 'append' });
  expect(provider.shown('s3').beliefs.map((belief) => belief.statement)).toEqual([
    'Ada lives in Oslo.',
    'Bo lives in Rome.',
    'Ada lives in Bergen.',
  ]);
  expect((await readBeliefState(scratch.admin)).state.tables.supersession).toEqual([]);
});

test('FX-7 a belief and its supersession are visible from the time of its latest source', async () => {
  const scratch = await database();
  await formScripted(scratch.runtime, MOVES, new ScriptedProvider(MOVES_SCRIPT));
  expect(await visibleAt(scratch, '2024-01-01T10:01:30')).toEqual(['Ada lives in Oslo.']);
  expect(await visibleAt(scratch, '2024-02-01T10:00:59')).toEqual(['Ada lives in Oslo.', 'Bo lives in Rome.']);
  expect(await visibleAt(scratch, '2024-02-01T10:01:00')).toEqual(['Bo lives in Rome.', 'Ada lives in Bergen.']);
});

test('FX-7 a belief that rests on an earlier and a later turn is visible from the later, in whichever order it names them', async () => {
  const scratch = await database();
  const history = [turn('s1:1', 'Ada', 'I look for a flat.'), turn('s1:5', 'Ada', 'I found one in Oslo.')];
  const beliefs = [
    { statement: 'Named forwards.', sources: ['s1:1', 's1:5'] },
    { statement: 'Named backwards.', sources: ['s1:5', 's1:1'] },
  ];
  await formScripted(scratch.runtime, history, new ScriptedProvider({ s1: { beliefs } }));
  expect(await visibleAt(scratch, '2024-01-01T10:04:59')).toEqual([]);
  expect(await visibleAt(scratch, '2024-01-01T10:05:00')).toEqual(['Named forwards.', 'Named backwards.']);
});

test('FB-4 two formations from the same answers have equal digests, and from other answers another', async () => {
  const [first, second, third] = [await database(), await database(), await database()];
  await formScripted(first.runtime, MOVES, new ScriptedProvider(MOVES_SCRIPT));
  await formScripted(second.runtime, MOVES, new ScriptedProvider(MOVES_SCRIPT));
  await formScripted(third.runtime, MOVES, new ScriptedProvider({ s1: MOVES_SCRIPT.s1 ?? '' }));
  const sealed = await Promise.all([first, second, third].map((scratch) => readBeliefState(scratch.admin)));
  expect(sealed[1]).toEqual(sealed[0]);
  expect(sealed[2]?.digest).not.toBe(sealed[0]?.digest);
});

test('FB-4 formation needs an empty store, of its own owner alone', async () => {
  const scratch = await database();
  await formScripted(scratch.runtime, MOVES, new ScriptedProvider({}));
  await expect(formScripted(scratch.runtime, MOVES, new ScriptedProvider({}))).rejects.toMatchObject({
    code: 'STORE_NOT_EMPTY',
  });
  const other = { owner: { tenant: 'tenant-a', principal: 'principal-b' } };
  await expect(formScripted(scratch.runtime, MOVES, new ScriptedProvider({}), other)).resolves.toMatchObject({
    calls: 3,
  });
});

test('PG-4 the runtime sees its own owner up to its ceiling; the administrator sees all', async () => {
  const scratch = await database();
  const history = [
    turn('s1:1', 'Ada', 'public words', { sensitivity: 'public' }),
    turn('s1:2', 'Ada', 'secret words', { sensitivity: 'confidential' }),
  ];
  const script: Script = {
    s1: {
      beliefs: [
        { statement: 'Rests on both.', sources: ['s1:1', 's1:2'] },
        { statement: 'Rests on the first.', sources: ['s1:1'] },
      ],
    },
  };
  await formScripted(scratch.runtime, history, new ScriptedProvider(script));
  const read = (principal: string, ceiling: 'public' | 'internal' | 'confidential'): Promise<string[]> =>
    inOwnerTransaction(scratch.runtime, { tenant: 'tenant-a', principal }, ceiling, async (query) =>
      (
        await query<{ text: string }>(
          'select statement as text from memory.visible_beliefs($1) union all select text from memory.turn',
          ['9999-12-31T23:59:59'],
        )
      )
        .map((row) => row.text)
        .sort(),
    );
  expect(await read('principal-a', 'confidential')).toEqual([
    'Rests on both.',
    'Rests on the first.',
    'public words',
    'secret words',
  ]);
  expect(await read('principal-a', 'internal')).toEqual(['Rests on the first.', 'public words']);
  expect(await read('principal-b', 'confidential')).toEqual([]);
  const { state } = await readBeliefState(scratch.admin);
  expect(state.tables.belief?.map((record) => record.sensitivity)).toEqual([2, 0]);
  expect((await scratch.runtime.query('select 1 from memory.turn')).rows).toEqual([]);
});

test('CL-3 a formation that is stopped asks no more', async () => {
  const scratch = await database();
  const stop = new AbortController();
  const provider = new ScriptedProvider({});
  const forming = formHistory(scratch.runtime, MOVES, SCRIPTED_SETTINGS, provider, stop.signal, () => stop.abort());
  await expect(forming).rejects.toMatchObject({ kind: 'interrupted' });
  expect(provider.requests).toHaveLength(1);
});

test('MX-2 an unknown policy is refused by name', async () => {
  const scratch = await database();
  await expect(
    formScripted(scratch.runtime, MOVES, new ScriptedProvider({}), { policy: 'facts@0' }),
  ).rejects.toMatchObject({ code: 'UNKNOWN_FORMATION_POLICY', remedy: 'use one of: facts@1' });
});
