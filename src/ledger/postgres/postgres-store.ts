import type pg from 'pg';
import { internalFault } from '../../core/errors.js';
import { type LedgerLine, type LedgerOpening, lineSchema, lineText } from '../journal-line.js';
import type { LineStore } from '../line-store.js';

/** What the store is made of. */
export interface PostgresStoreParts {
  /** Held for the life of the ledger: its session's lock is on this connection. */
  readonly client: pg.PoolClient;
  readonly run: string;
  readonly session: number;
  readonly place: string;
  /** The number of the last line that the account has booked. */
  readonly seen: number;
  readonly breached: boolean;
  /** Ends what was opened for it. */
  readonly end: () => Promise<void>;
}

/** Lines in Postgres: a turn is a transaction that holds the account's row, so that of all processes one decides at a time (LG-3). */
export class PostgresStore implements LineStore {
  readonly place: string;
  readonly #parts: PostgresStoreParts;
  #seen: number;
  #breached: boolean;

  constructor(parts: PostgresStoreParts) {
    this.#parts = parts;
    this.place = parts.place;
    this.#seen = parts.seen;
    this.#breached = parts.breached;
  }

  async write(decide: (others: readonly LedgerLine[]) => readonly LedgerLine[]): Promise<void> {
    const { client, run } = this.#parts;
    await client.query('begin');
    const { rows } = await client.query<{ last: string }>(
      'select last_line::text as last from recall_matrix_ledger.account where run = $1 for update',
      [run],
    );
    if (rows.length === 0) throw internalFault('LEDGER_GONE', `the account of ${this.place} is gone`);
    const last = Number(rows[0]?.last);
    const others = last > this.#seen ? await this.#linesAfter(this.#seen) : [];
    const lines = decide(others);
    if (lines.length > 0) await this.#append(last, lines, others);
    await client.query('commit');
    this.#seen = last + lines.length;
  }

  async #linesAfter(number: number): Promise<LedgerLine[]> {
    const { rows } = await this.#parts.client.query<{ text: string }>(
      'select text from recall_matrix_ledger.line where run = $1 and number > $2 order by number',
      [this.#parts.run, number],
    );
    return rows.map(({ text }) => lineSchema.parse(JSON.parse(text)));
  }

  async #append(last: number, lines: readonly LedgerLine[], others: readonly LedgerLine[]): Promise<void> {
    const { client, run, session } = this.#parts;
    this.#breached ||= others.some(({ kind }) => kind === 'breach');
    const rows = lines.map((line, index) => {
      // A breach directly follows the settlement that it is about: that line is above the limit too.
      this.#breached ||= line.kind === 'breach' || lines[index + 1]?.kind === 'breach';
      return lineRow(line, last + 1 + index, this.#breached);
    });
    await client.query(INSERT_LINES, [run, session, JSON.stringify(rows)]);
    const sums = lines[lines.length - 1]!;
    await client.query(
      `update recall_matrix_ledger.account
          set last_line = $2, limit_nano_usd = $3, spent_nano_usd = $4, held_nano_usd = $5, breached = $6 where run = $1`,
      [run, last + lines.length, sums.limit_nano_usd, sums.spent_nano_usd, sums.held_nano_usd, this.#breached],
    );
  }

  async close(): Promise<void> {
    const { client, session, end } = this.#parts;
    try {
      // A session that cannot say that it ended is found to have ended by its lock.
      await client.query('rollback');
      await client.query('update recall_matrix_ledger.session set closed = true where id = $1', [session]);
    } catch {
    } finally {
      // The lock goes with its connection.
      client.release(true);
      await end();
    }
  }
}

/** Lines as one parameter, so that a batch is one statement. */
export const INSERT_LINES = `
  insert into recall_matrix_ledger.line
         (run, session, number, kind, reservation, limit_nano_usd, spent_nano_usd, held_nano_usd, breached, text)
  select $1, $2, number, kind, reservation, limit_nano_usd, spent_nano_usd, held_nano_usd, breached, text
    from pg_catalog.json_to_recordset($3::json) as l(number bigint, kind text, reservation text, limit_nano_usd bigint,
         spent_nano_usd bigint, held_nano_usd bigint, breached boolean, text text)`;

/** A line's row. */
export function lineRow(line: LedgerOpening | LedgerLine, number: number, breached: boolean): unknown {
  const { limit_nano_usd, spent_nano_usd, held_nano_usd } = line;
  return {
    number,
    kind: 'kind' in line ? line.kind : 'opening',
    reservation: 'id' in line ? line.id : null,
    limit_nano_usd,
    spent_nano_usd,
    held_nano_usd,
    breached,
    text: lineText(line),
  };
}
