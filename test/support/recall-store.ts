import type { Owner, Sensitivity } from '../../src/fixture/history.js';
import { SENSITIVITIES } from '../../src/fixture/history.js';
import type { RecallQuery, RecallSettings } from '../../src/memory/memory.js';
import { openRecall } from '../../src/memory/recall/open-recall.js';
import type { ScratchDatabase } from '../../src/postgres/postgres.js';

/** The owner of most recall tests. */
export const ADA: Owner = { tenant: 'lab', principal: 'ada' };
/** Someone else in the same store. */
export const BOB: Owner = { tenant: 'lab', principal: 'bob' };

/** A turn as a test states it. */
export interface TurnRow {
  readonly id: string;
  readonly at: string;
  readonly speaker: string;
  readonly text: string;
  readonly caption?: string;
  readonly sensitivity?: Sensitivity;
}

/** A belief as a test states it; it is visible from its time. */
export interface BeliefRow {
  readonly id: string;
  readonly at: string;
  readonly statement: string;
  readonly subjects: readonly string[];
  readonly sources: readonly string[];
  readonly supersedes?: readonly string[];
  readonly sensitivity?: Sensitivity;
  readonly confidence?: number;
}

/** A person as a test states them: by what each turn gives of them. */
export interface PersonRow {
  readonly id: string;
  readonly name: string;
  readonly given: readonly { readonly turn: string; readonly names: readonly string[] }[];
}

/** Fills the store as the database's administrator, whom forced row security lets in only where it is a superuser. */
export class RecallStore {
  constructor(readonly database: ScratchDatabase) {}

  async turns(owner: Owner, rows: readonly TurnRow[]): Promise<void> {
    for (const row of rows) {
      await this.#run(
        owner,
        `insert into memory.turn (tenant, principal, id, session, said_at, speaker, text, caption, sensitivity)
         values ($1, $2, $3, 's1', $4, $5, $6, $7, $8)`,
        [row.id, row.at, row.speaker, row.text, row.caption ?? null, rankOf(row.sensitivity)],
      );
    }
  }

  async beliefs(owner: Owner, rows: readonly BeliefRow[]): Promise<void> {
    for (const row of rows) {
      await this.#run(
        owner,
        `insert into memory.belief (tenant, principal, id, batch, statement, subjects, confidence, observed_at, visible_from, sensitivity)
         values ($1, $2, $3, 's1', $4, $5, $8, $6, $6, $7)`,
        [row.id, row.statement, row.subjects, row.at, rankOf(row.sensitivity), row.confidence ?? 0.9],
      );
      for (const [ordinal, source] of row.sources.entries()) {
        await this.#run(
          owner,
          `insert into memory.belief_source (tenant, principal, belief_id, ordinal, turn_id, turn_version)
           select $1, $2, $3, $4, id, version from memory.turn where tenant = $1 and principal = $2 and id = $5`,
          [row.id, ordinal, source],
        );
      }
      for (const retired of row.supersedes ?? []) {
        await this.#run(owner, 'insert into memory.supersession values ($1, $2, $3, $4)', [row.id, retired]);
      }
    }
  }

  async people(owner: Owner, rows: readonly PersonRow[]): Promise<void> {
    for (const { id, name, given } of rows) {
      const aliases = [...new Set(given.flatMap(({ names }) => names))].filter((other) => other !== name);
      await this.#run(
        owner,
        'insert into memory.person (tenant, principal, id, name, aliases) values ($1, $2, $3, $4, $5)',
        [id, name, aliases],
      );
      for (const [ordinal, { turn, names }] of given.entries()) {
        await this.#run(
          owner,
          `insert into memory.person_source (tenant, principal, person_id, ordinal, turn_id, turn_version, names)
           select $1, $2, $3, $4, id, version, $6 from memory.turn where tenant = $1 and principal = $2 and id = $5`,
          [id, ordinal, turn, names],
        );
      }
    }
  }

  async correct(owner: Owner, turn: string, text: string): Promise<void> {
    await this.#run(
      owner,
      'update memory.turn set text = $4, version = version + 1 where tenant = $1 and principal = $2 and id = $3',
      [turn, text],
    );
  }

  async erase(owner: Owner, turn: string): Promise<void> {
    await this.#run(
      owner,
      `with gone as (delete from memory.belief_source where tenant = $1 and principal = $2 and turn_id = $3)
       update memory.turn set text = null, caption = null, erased = true, version = version + 1
       where tenant = $1 and principal = $2 and id = $3`,
      [turn],
    );
  }

  /** Recalls with a new recall of a strategy that needs no vectors; gives ids in rank order. */
  async ids(settings: RecallSettings, query: RecallQuery): Promise<string[]> {
    const recall = await openRecall(this.database.runtime, settings, query.owner, null, null, SIGNAL);
    return (await recall.recall(query, SIGNAL)).items.map((item) => item.id);
  }

  async #run(owner: Owner, sql: string, values: readonly unknown[]): Promise<void> {
    const client = await this.database.runtime.connect();
    try {
      await client.query('begin');
      await client.query('select search.enter($1, $2, 3)', [owner.tenant, owner.principal]);
      await client.query(sql, [owner.tenant, owner.principal, ...values]);
      await client.query('commit');
    } finally {
      client.release();
    }
  }
}

/** Empties every table of a store, of every owner; store positions begin anew. */
export async function emptyStore(database: ScratchDatabase): Promise<void> {
  const { rows } = await database.admin.query<{ tables: string }>(
    `select string_agg(c.oid::regclass::text, ', ') as tables from pg_class c
     where c.relnamespace in ('memory'::regnamespace, 'search'::regnamespace) and c.relkind = 'r'`,
  );
  await database.admin.query(`truncate ${rows[0]?.tables} restart identity`);
}

/** A signal that nothing aborts. */
export const SIGNAL = new AbortController().signal;

/** A question of ADA's, long after everything, that may see everything. */
export function ask(
  question: string,
  more: Partial<RecallQuery> & { readonly at?: string; readonly subjects?: readonly string[] } = {},
): RecallQuery {
  const { at = '2030-01-01T00:00:00', subjects = [], ...rest } = more;
  return {
    owner: ADA,
    question: { id: 'q1', question, asked_at: at, subjects },
    read_ceiling: 'restricted',
    oracle_turns: null,
    ...rest,
  };
}

function rankOf(sensitivity: Sensitivity = 'internal'): number {
  return SENSITIVITIES.indexOf(sensitivity);
}
