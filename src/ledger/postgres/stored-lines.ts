import { invalidInput } from '../../core/errors.js';
import type { Querier } from '../../postgres/versioned-schema.js';
import type { LedgerLine } from '../journal-line.js';
import { type VerifiedJournal, verifyLines } from '../journal-reader.js';
import { hasLedgers } from './ledger-schema.js';

const PAGE_LINES = 5_000;

/** The text of a run's lines, in order; nothing where the run has no account there. */
export async function* storedLines(client: Querier, run: string): AsyncGenerator<string> {
  if (!(await hasLedgers(client))) return;
  for (let after = -1; ; ) {
    const { rows } = await client.query<{ position: string; text: string }>(
      `select l.number::text as position, l.text from recall_matrix_ledger.line l
        where l.run = $1 and l.number > $2 order by l.number limit ${PAGE_LINES}`,
      [run, after],
    );
    for (const { text } of rows) yield text;
    if (rows.length < PAGE_LINES) return;
    after = Number(rows[rows.length - 1]?.position);
  }
}

/**
 * Verifies a run's lines as those of a file are.
 *
 * @param place for messages.
 * @throws `LEDGER_MISSING`, `LEDGER_BROKEN` (exit 2).
 */
export async function verifyStoredLines(
  client: Querier,
  run: string,
  place: string,
  each: (line: LedgerLine) => void,
): Promise<VerifiedJournal> {
  let isThere = false;
  async function* chunks(): AsyncGenerator<{ readonly bytes: Buffer; readonly whole: boolean }> {
    for await (const text of storedLines(client, run)) {
      isThere = true;
      yield { bytes: Buffer.from(text), whole: true };
    }
  }
  return verifyLines(place, chunks(), each).catch((error: unknown) => {
    if (isThere) throw error;
    throw invalidInput('LEDGER_MISSING', `there is no account of ${place}`, {
      remedy: 'name the database that the run had its ledger in, or the run folder that holds its export',
    });
  });
}
