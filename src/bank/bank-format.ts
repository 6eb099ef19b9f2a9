import { canonicalJson } from '../core/canonical-json.js';
import { digestJson, shortDigest } from '../core/digest.js';
import { bankRefused, messageOf, type RecallMatrixError } from '../core/errors.js';
import { BANK_LIMITS, type Bank, type BankCall, type BankIdentity } from './bank.js';
import { parseBankName } from './bank-names.js';
import { bankSchema } from './bank-schema.js';
import { decodeCanonicalLine } from './canonical-file.js';
import { REQUEST_IDENTITY_ALGORITHM } from './request-identity.js';

/** What a bank is sealed from; counts and digest follow from it. */
export interface BankParts {
  readonly identity: BankIdentity;
  readonly calls: readonly BankCall[];
  readonly state: Bank['state'];
  /** The journal that the recording continued; left out of the bank where there was none. */
  readonly continues?: Bank['continues'];
  /** ISO instant with milliseconds. */
  readonly recordedAt: string;
}

/**
 * Makes a bank (FB-10): counts attempts, binds everything by its digest.
 *
 * @throws `BANK_TOO_MANY_CALLS` or `BANK_TOO_LARGE` (exit 5) above a bound; `BANK_MALFORMED` where a part is not what a bank may hold.
 */
export function sealBank(parts: BankParts): Bank {
  if (parts.calls.length > BANK_LIMITS.calls) throw tooManyCalls(parts.calls.length);
  const content: Omit<Bank, 'digest'> = {
    format: 'formation-bank@1',
    identity_algorithm: REQUEST_IDENTITY_ALGORITHM,
    identity: parts.identity,
    calls: parts.calls,
    call_count: parts.calls.length,
    attempt_count: sumOfAttempts(parts.calls),
    state: parts.state,
    ...(parts.continues === undefined ? {} : { continues: parts.continues }),
    recorded_at: parts.recordedAt,
  };
  const bank = checkedShape({ ...content, digest: digestJson(content) }, 'the bank to be sealed');
  assertSize(bankBytes(bank).byteLength, 'the bank to be sealed');
  return bank;
}

/** A bank's file: its canonical JSON and a line feed. */
export function bankBytes(bank: Bank): Buffer {
  return Buffer.from(`${canonicalJson(bank)}\n`, 'utf8');
}

/**
 * Reads a bank's bytes (FB-8, FB-10, FB-14): size first, then exact canonical form, shape, counts, digest, and the name that the digest gives.
 *
 * @throws `BANK_TOO_LARGE`, `BANK_NOT_CANONICAL`, `BANK_MALFORMED`, `BANK_TOO_MANY_CALLS`, `BANK_COUNTS_DIFFER`, `BANK_DIGEST_DIFFERS` or
 * `BANK_NAME_DIFFERS` (exit 5), each with the path.
 */
export function parseBank(bytes: Uint8Array, path: string): Bank {
  assertSize(bytes.byteLength, path);
  const value = decodeCanonicalLine(bytes, (why) => changed('BANK_NOT_CANONICAL', path, why));
  const bank = checkedShape(value, path);
  if (bank.call_count !== bank.calls.length || bank.attempt_count !== sumOfAttempts(bank.calls)) {
    throw changed('BANK_COUNTS_DIFFER', path, 'its call or attempt count is not that of its calls');
  }
  const { digest, ...content } = bank;
  const computed = digestJson(content);
  if (computed !== digest) {
    throw changed('BANK_DIGEST_DIFFERS', path, `its content has digest ${computed}, and it states ${digest}`);
  }
  assertName(bank, path);
  return bank;
}

/** The refusal of a bank's file above its bound. */
export function bankTooLarge(path: string, bytes: number): RecallMatrixError {
  return bankRefused('BANK_TOO_LARGE', `${path} has ${bytes} bytes; a bank has at most ${BANK_LIMITS.bytes}`, {
    remedy: 'split the history into fixtures that need less formation output',
  });
}

/** The refusal of more calls than a bank holds. */
export function tooManyCalls(calls: number): RecallMatrixError {
  return bankRefused('BANK_TOO_MANY_CALLS', `formation needs call ${calls}; a bank has at most ${BANK_LIMITS.calls}`, {
    remedy: 'split the history into fixtures of fewer batches',
  });
}

function assertSize(bytes: number, path: string): void {
  if (bytes > BANK_LIMITS.bytes) throw bankTooLarge(path, bytes);
}

function assertName(bank: Bank, path: string): void {
  const name = parseBankName(path);
  if (name === null || name.digest12 !== shortDigest(bank.digest)) {
    throw changed('BANK_NAME_DIFFERS', path, `its name does not end in ${shortDigest(bank.digest)}, of its digest`);
  }
  const foreign = bank.calls.find((call) => call.request.metadata.fixture !== name.fixture);
  if (foreign !== undefined) {
    const fixture = JSON.stringify(foreign.request.metadata.fixture);
    throw changed('BANK_NAME_DIFFERS', path, `its name is of fixture ${name.fixture}, its calls are of ${fixture}`);
  }
}

function checkedShape(value: unknown, path: string): Bank {
  const calls = (value as { calls?: unknown } | null)?.calls;
  if (Array.isArray(calls) && calls.length > BANK_LIMITS.calls) throw tooManyCalls(calls.length);
  const result = bankSchema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? 'the whole' : issue.path.map(String).join('.');
  throw changed('BANK_MALFORMED', path, `${where}: ${issue?.message ?? messageOf(result.error)}`);
}

function changed(code: string, path: string, why: string): RecallMatrixError {
  return bankRefused(code, `${path} is no intact bank: ${why}`, {
    remedy: 'restore the file from where it was recorded, or move it away and record the fixture anew',
  });
}

function sumOfAttempts(calls: readonly BankCall[]): number {
  return calls.reduce((sum, call) => sum + call.attempts, 0);
}
