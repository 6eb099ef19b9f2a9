import { basename, join } from 'node:path';
import { type Digest, digestJson, shortDigest } from '../core/digest.js';
import type { RecallUnit } from '../memory/memory.js';
import { safeFixture } from './bank-names.js';
import type { VectorBankIdentity, VectorRecording } from './vector-bank.js';

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

const PENDING_VECTORS_NAME = /^(?<fixture>[^.].*)-(?<unit>beliefs|turns)-[0-9a-f]{12}\.pending-vectors\.jsonl$/s;
const FAILED_VECTORS_NAME = /^(?<fixture>[^.].*)-(?<unit>beliefs|turns)-[0-9a-f]{12}-[1-9][0-9]*\.vectors\.jsonl$/s;

/** `<fixture>-<unit>-<first 12 of the identity's digest>.pending-vectors.jsonl`: what a recording of this identity keeps until it is sealed. */
export function pendingVectorsPath({ folder, fixture, identity }: VectorRecording): string {
  const name = `${safeFixture(fixture)}-${identity.unit}-${shortDigest(digestJson(identity))}`;
  return join(folder, `${name}.pending-vectors.jsonl`);
}

/** Whether a file name is one of a pending recording of vectors. */
export function isPendingVectorsName(path: string): boolean {
  return PENDING_VECTORS_NAME.test(basename(path));
}

/** Whether a file name, in `failed/`, is one of an abandoned recording of vectors. */
export function isFailedVectorsName(path: string): boolean {
  return FAILED_VECTORS_NAME.test(basename(path));
}
