import type { EgressRules } from '../query-preparation.js';

/**
 * What keeps an owner's text from a provider's region; null where nothing does (SQ-7). Without a rule any region will do; under one, only
 * those that it names, and a provider whose region is not stated has none.
 */
export function outsideResidency({ region, residency }: EgressRules): string | null {
  if (residency === null || (region !== null && residency.includes(region))) return null;
  const allowed = residency.length === 0 ? 'no region' : residency.join(', ');
  return `${region === null ? 'the provider states no region' : `the provider is in ${region}`}, and the owner allows ${allowed}`;
}
