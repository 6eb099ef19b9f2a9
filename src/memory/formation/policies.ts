import { invalidInput } from '../../core/errors.js';
import { facts1 } from './facts-1.js';
import type { FormationPolicy } from './formation-policy.js';

const POLICIES: readonly FormationPolicy[] = [facts1];

/** The names of the policies that are built in. */
const FORMATION_POLICIES: readonly string[] = POLICIES.map((policy) => policy.name);

/**
 * A built-in policy by its name and version.
 *
 * @throws kind `invalid-input`, `UNKNOWN_FORMATION_POLICY`.
 */
export function formationPolicy(name: string): FormationPolicy {
  const policy = POLICIES.find((candidate) => candidate.name === name);
  if (policy !== undefined) return policy;
  throw invalidInput('UNKNOWN_FORMATION_POLICY', `there is no formation policy ${name}`, {
    remedy: `use one of: ${FORMATION_POLICIES.join(', ')}`,
  });
}
