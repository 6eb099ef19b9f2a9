import type pg from 'pg';
import { type CivilTime, latestCivilTime } from '../../core/civil-time.js';
import { internalFault, invalidInput } from '../../core/errors.js';
import { type Owner, SENSITIVITIES, type Sensitivity, type TurnEvent } from '../../fixture/history.js';
import type {
  BatchResult,
  BeliefStore,
  CurrentBelief,
  CurrentState,
  KnownPerson,
  NewBelief,
  PersistSettings,
  StoredTurn,
} from './belief-store.js';
import { inOwnerTransaction, type Query, sensitivityRank } from './owner-transaction.js';
import { persistMentions, rebuildPeople } from './people-store.js';
import * as statements from './statements.js';

/** Formation reads all that its owner said: nothing may be left out of what it forms. */
const FORMATION_CEILING: Sensitivity = 'restricted';

interface TurnRow {
  readonly id: string;
  readonly version: number;
  readonly session: string;
  readonly said_at: CivilTime;
  readonly speaker: string;
  readonly text: string;
  readonly caption: string | null;
  readonly sensitivity: number;
}

/**
 * The belief store of one owner.
 *
 * @param pool of the runtime's role, so that row security binds it (PG-4).
 */
export function postgresBeliefStore(pool: pg.Pool, owner: Owner): BeliefStore {
  const transaction = <Result>(work: (query: Query) => Promise<Result>): Promise<Result> =>
    inOwnerTransaction(pool, owner, FORMATION_CEILING, work);
  return {
    assertEmpty: () => transaction((query) => assertEmpty(query, owner)),
    appendTurns: (turns) => transaction((query) => appendTurns(query, turns)),
    correctTurn: (turnId, text) => transaction((query) => correctTurn(query, turnId, text)),
    eraseTurn: (turnId) => transaction((query) => eraseTurn(query, turnId)),
    persistBatch: (result, settings) => transaction((query) => persistBatch(query, result, settings)),
    counts: () => transaction(counts),
  };
}

async function assertEmpty(query: Query, owner: Owner): Promise<void> {
  const [row] = await query<{ found: boolean }>(statements.ANY_TURN);
  if (row?.found === false) return;
  throw internalFault(
    'STORE_NOT_EMPTY',
    `${owner.tenant}/${owner.principal} has turns already: formation needs an empty store`,
  );
}

async function appendTurns(
  query: Query,
  turns: readonly TurnEvent[],
): Promise<{ turns: StoredTurn[]; current: CurrentState }> {
  const rows = turns.map((turn) => ({ ...turn, said_at: turn.at, sensitivity: sensitivityRank(turn.sensitivity) }));
  await query(statements.INSERT_TURNS, [JSON.stringify(rows)]);
  return {
    turns: turns.map(({ kind: _kind, ...turn }) => ({ ...turn, version: 1 })),
    current: await currentState(query),
  };
}

async function correctTurn(
  query: Query,
  turnId: string,
  text: string,
): Promise<{ turn: StoredTurn; current: CurrentState }> {
  const [row] = await query<TurnRow>(statements.CORRECT_TURN, [turnId, text]);
  if (row === undefined) throw await uncorrectable(query, turnId);
  await rebuildPeople(query);
  const { said_at, sensitivity, ...rest } = row;
  const turn = { ...rest, at: said_at, sensitivity: SENSITIVITIES[sensitivity] as Sensitivity };
  return { turn, current: await currentState(query) };
}

async function uncorrectable(query: Query, turnId: string): Promise<Error> {
  const [row] = await query<{ erased: boolean }>(statements.TURN_ERASED, [turnId]);
  if (row?.erased === true) {
    return invalidInput('CORRECTION_OF_ERASED_TURN', `the history corrects ${turnId} after erasing it`, {
      remedy: 'take the correction out of history.jsonl: an erasure always holds',
    });
  }
  return internalFault('TURN_NOT_STORED', `the history corrects ${turnId}, which is not stored`);
}

async function eraseTurn(query: Query, turnId: string): Promise<void> {
  const erased = await query(statements.ERASE_TURN, [turnId]);
  if (erased.length === 0) throw internalFault('TURN_NOT_STORED', `the history erases ${turnId}, which is not stored`);
  await query(statements.DELETE_BELIEFS_RESTING_ON_TURN_ALONE, [turnId]);
  await query(statements.DELETE_BELIEF_SOURCES_OF_TURN, [turnId]);
  await query(statements.DELETE_PERSON_SOURCES_OF_TURN, [turnId]);
  await rebuildPeople(query);
}

async function currentState(query: Query): Promise<CurrentState> {
  const [row] = await query<{ beliefs: CurrentBelief[]; people: KnownPerson[] }>(statements.CURRENT_STATE);
  if (row === undefined) throw internalFault('CURRENT_STATE_EMPTY', 'the current state gave no row');
  return row;
}

async function persistBatch(query: Query, result: BatchResult, settings: PersistSettings): Promise<void> {
  const { beliefs, batch } = result;
  if (beliefs.length > 0) {
    const lists = [
      beliefs.map((belief) => beliefRow(belief, batch)),
      beliefs.flatMap(sourceRows),
      settings.mode === 'supersede' ? beliefs.flatMap(supersessionRows) : [],
    ];
    await query(
      statements.INSERT_BELIEFS,
      lists.map((list) => JSON.stringify(list)),
    );
  }
  await persistMentions(query, result.people, result.person_ids, settings);
}

function beliefRow(belief: NewBelief, batch: string): object {
  const { sources, supersedes: _supersedes, ...columns } = belief;
  return {
    ...columns,
    batch,
    visible_from: latestCivilTime(sources.map((source) => source.at)),
    sensitivity: Math.max(...sources.map((source) => sensitivityRank(source.sensitivity))),
  };
}

function sourceRows(belief: NewBelief): object[] {
  return belief.sources.map((source, index) => ({
    belief_id: belief.id,
    ordinal: index + 1,
    turn_id: source.id,
    turn_version: source.version,
  }));
}

function supersessionRows(belief: NewBelief): object[] {
  return belief.supersedes.map((superseded) => ({ belief_id: belief.id, superseded_id: superseded }));
}

async function counts(query: Query): Promise<{ beliefs: number; people: number }> {
  const [row] = await query<{ beliefs: number; people: number }>(statements.COUNTS);
  if (row === undefined) throw internalFault('COUNTS_EMPTY', 'a count gave no row');
  return row;
}
