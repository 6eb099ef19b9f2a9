import type { JsonObject } from '../core/canonical-json.js';
import { differingPaths } from '../core/differing-paths.js';
import type { BankIdentity } from './bank.js';
import type { VectorBankIdentity } from './vector-bank.js';

/**
 * The fields at which two identities differ, as dotted names in a fixed order: `implementation`, `owner.tenant`, `profile.model`, ... None
 * where a bank may be shared (FB-12).
 */
export function identityDifferences<Identity extends BankIdentity | VectorBankIdentity>(
  a: Identity,
  b: Identity,
): string[] {
  return differingPaths(a as unknown as JsonObject, b as unknown as JsonObject);
}
