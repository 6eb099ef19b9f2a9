import { basename, join } from 'node:path';
import { type Digest, digestJson, shortDigest } from '../core/digest.js';
import { invalidInput } from '../core/errors.js';
import type { BankIdentity } from './bank.js';

/** Where failed and abandoned recordings lie, inside the bank folder. */
export const FAILED_FOLDER = 'failed';

const BANK_NAME = /^(?<fixture>[^.].*)-(?<hex>[0-9a-f]{12})\.bank\.json$/s;
const PENDING_NAME = /^(?<fixture>[^.].*)-(?<hex>[0-9a-f]{12})\.pending\.jsonl$/s;
const FAILED_NAME = /^(?<fixture>[^.].*)-(?<hex>[0-9a-f]{12})-[1-9][0-9]*\.jsonl$/s;

/** What a file name in a bank folder says. */
export interface BankName {
  readonly fixture: string;
  /** The first 12 hexadecimal digits of the bank's digest, or of a recording's identity. */
  readonly digest12: string;
}

/** `<fixture>-<first 12 of digest>.bank.json`. */
export function bankPath(folder: string, fixture: string, digest: Digest): string {
  return join(folder, `${safeFixture(fixture)}-${shortDigest(digest)}.bank.json`);
}

/** The state's file beside a bank's. */
export function statePath(path: string): string {
  return path.replace(/\.bank\.json$/, '.state.json');
}

/** `<fixture>-<first 12 of the identity's digest>.pending.jsonl`: one identity can be recorded once at a time. */
export function pendingPath(folder: string, fixture: string, identity: BankIdentity): string {
  return join(folder, `${safeFixture(fixture)}-${shortDigest(digestJson(identity))}.pending.jsonl`);
}

/** `failed/<fixture>-<identity>-<n>.jsonl`, n from 1; of vectors, `failed/<fixture>-<unit>-<identity>-<n>.vectors.jsonl`. */
export function failedPath(folder: string, pending: string, n: number): string {
  const [, stem = basename(pending), vectors] = /^(.*)\.pending(-vectors)?\.jsonl$/s.exec(basename(pending)) ?? [];
  return join(folder, FAILED_FOLDER, `${stem}-${n}${vectors === undefined ? '' : '.vectors'}.jsonl`);
}

/** Reads a bank's file name; null where it is none. */
export function parseBankName(path: string): BankName | null {
  return parseName(BANK_NAME, path);
}

/** Reads a pending journal's file name; null where it is none. */
export function parsePendingName(path: string): BankName | null {
  return parseName(PENDING_NAME, path);
}

/** Reads a failed journal's file name; null where it is none. */
export function parseFailedName(path: string): BankName | null {
  return parseName(FAILED_NAME, path);
}

function parseName(pattern: RegExp, path: string): BankName | null {
  const groups = pattern.exec(basename(path))?.groups;
  return groups === undefined ? null : { fixture: groups.fixture as string, digest12: groups.hex as string };
}

/** Fixture ids are checked where fixtures load; a path is made of them here, so here they are checked again (RS-4). */
export function safeFixture(fixture: string): string {
  if (isSafeFixture(fixture)) return fixture;
  throw invalidInput('FIXTURE_ID_UNSAFE', `${JSON.stringify(fixture)} cannot name a file`, {
    remedy: 'use letters, digits, dots, hyphens and underscores; begin with a letter, a digit or an underscore',
  });
}

/** Whether a fixture's id can name a file, and leaves no folder. */
export function isSafeFixture(fixture: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9._-]{0,199}$/.test(fixture);
}
