import { basename, join } from 'node:path';
import { type Digest, digestJson, shortDigest } from '../core/digest.js';
import type { RecallUnit } from '../memory/memory.js';
import { safeFixture } from './bank-names.js';
import type { VectorBankIdentity } from './vector-bank.js';

const VECTOR_BANK_NAME = /^(?<fixture>[^.].*)-(?<unit>beliefs|turns)-(?<hex>[0-9a-f]{12})\.vectors\.bin$/s;

/** What a vector bank's file name says. */
export interface VectorBankName {
  readonly fixture: string;
  readonly unit: RecallUnit;
  readonly digest12: string;
}

/** `<fixture>-<unit>-<first 12 of digest>.vectors.bin`. */
export function vectorBankPath(folder: string, fixture: string, unit: RecallUnit, digest: Digest): string {
  return join(folder, `${safeFixture(fixture)}-${unit}-${shortDigest(digest)}.vectors.bin`);
}

/** Locked (`.lock` beside it) for the moment in which a bank of this identity is put in its place. */
export function vectorBankPlace(folder: string, fixture: string, identity: VectorBankIdentity): string {
  return join(folder, `.${safeFixture(fixture)}-${shortDigest(digestJson(identity))}.vectors`);
}

/** Reads a vector bank's file name; null where it is none. */
export function parseVectorBankName(path: string): VectorBankName | null {
  const groups = VECTOR_BANK_NAME.exec(basename(path))?.groups;
  if (groups === undefined) return null;
  return { fixture: groups.fixture as string, unit: groups.unit as RecallUnit, digest12: groups.hex as string };
}
