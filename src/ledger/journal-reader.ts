import { createReadStream } from 'node:fs';
import { invalidInput, messageOf, type RecallMatrixError } from '../core/errors.js';
import { Account } from './account.js';
import {
  type LedgerLine,
  type LedgerOpening,
  lineSchema,
  lineText,
  openingSchema,
  type RunningSums,
} from './journal-line.js';

/** A journal that was verified line by line. */
export interface VerifiedJournal {
  readonly opening: LedgerOpening;
  /** The account after the last whole line. */
  readonly account: Account;
  /** Whole lines, the opening among them. */
  readonly lines: number;
  /** Bytes after the last whole line: what a crash tore off. */
  readonly torn_bytes: number;
}

/** More than any line of this format needs; a longer one is no ledger's. */
const LINE_BYTES_LIMIT = 64 * 1024;
const LINE_FEED = 0x0a;

/** Reads a ledger's journal from a file; throws `LEDGER_MISSING` or `LEDGER_UNREADABLE` (exit 2) too. */
export function verifyJournal(path: string, each: (line: LedgerLine) => void): Promise<VerifiedJournal> {
  return verifyLines(path, chunksByLine(path), each);
}

/**
 * Reads a ledger's lines and checks every line against those before it: its canonical text, its schema, that what it says can happen, and its
 * sums.
 *
 * @param path where they are: a file, or words for another place.
 * @param each is called with every line after the first, in order.
 * @throws `LEDGER_BROKEN` (exit 2), with the line.
 */
export async function verifyLines(
  path: string,
  chunks: AsyncIterable<{ readonly bytes: Buffer; readonly whole: boolean }>,
  each: (line: LedgerLine) => void,
): Promise<VerifiedJournal> {
  let opening: LedgerOpening | null = null;
  let account: Account | null = null;
  let number = 0;
  let torn = 0;
  for await (const { bytes, whole } of chunks) {
    number += 1;
    if (bytes.length > LINE_BYTES_LIMIT) throw broken(path, number, `a line of more than ${LINE_BYTES_LIMIT} bytes`);
    if (!whole) {
      torn = bytes.length;
    } else if (opening === null || account === null) {
      opening = parseLine(path, number, bytes, openingSchema);
      account = new Account(BigInt(opening.limit_nano_usd));
      checkSums(path, number, opening, account);
    } else {
      const line = parseLine(path, number, bytes, lineSchema);
      const problem = account.apply(line);
      if (problem !== null) throw broken(path, number, problem.message);
      checkSums(path, number, line, account);
      each(line);
    }
  }
  if (opening === null || account === null) throw broken(path, 1, 'no opening line');
  return { opening, account, lines: torn > 0 ? number - 1 : number, torn_bytes: torn };
}

async function* chunksByLine(path: string): AsyncGenerator<{ readonly bytes: Buffer; readonly whole: boolean }> {
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      let from = 0;
      for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
        yield { bytes: Buffer.concat([rest, chunk.subarray(from, end)]), whole: true };
        rest = Buffer.alloc(0);
        from = end + 1;
      }
      rest = Buffer.concat([rest, chunk.subarray(from)]);
      // A line that is too long is handed on as it is, and refused, before it fills the memory.
      if (rest.length > LINE_BYTES_LIMIT) break;
    }
  } catch (cause) {
    throw unreadable(path, cause);
  }
  if (rest.length > 0) yield { bytes: rest, whole: false };
}

function unreadable(path: string, cause: unknown): unknown {
  const code = (cause as NodeJS.ErrnoException).code;
  if (code === undefined) return cause;
  if (code === 'ENOENT')
    return invalidInput('LEDGER_MISSING', `there is no ledger at ${path}`, {
      remedy: 'restore the file from a copy, or start a new run: without it nobody knows what was spent',
      cause,
    });
  return invalidInput('LEDGER_UNREADABLE', `cannot read ${path}: ${messageOf(cause)}`, {
    remedy: 'make it a readable file again, or start a new run',
    cause,
  });
}

function parseLine<Line extends LedgerOpening | LedgerLine>(
  path: string,
  number: number,
  bytes: Buffer,
  schema: {
    safeParse(
      value: unknown,
    ):
      | { success: true; data: Line }
      | { success: false; error: { issues: readonly { path: PropertyKey[]; message: string }[] } };
  },
): Line {
  const text = bytes.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw broken(path, number, `no JSON: ${messageOf(cause)}`);
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw broken(path, number, `${issue?.path.map(String).join('.') || 'the line'}: ${issue?.message}`);
  }
  // A duplicate key, a number written in another way or bytes that are no UTF-8 parse, and are none of this ledger's lines.
  if (lineText(parsed.data) !== text) throw broken(path, number, 'not the canonical text of its content');
  return parsed.data;
}

function checkSums(path: string, number: number, line: RunningSums, account: Account): void {
  const expected = account.runningSums();
  for (const key of ['limit_nano_usd', 'spent_nano_usd', 'held_nano_usd'] as const) {
    if (line[key] !== expected[key])
      throw broken(path, number, `${key} is ${line[key]} where the lines before give ${expected[key]}`);
  }
}

function broken(path: string, line: number, problem: string): RecallMatrixError {
  return invalidInput('LEDGER_BROKEN', `the ledger ${path} is broken: line ${line}: ${problem}`, {
    location: { file: path, line },
    remedy: 'the file was changed or damaged: restore it from a copy, or start a new run; nothing was sent',
  });
}
