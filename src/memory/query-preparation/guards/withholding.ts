import type { QueryText } from '../query-identity.js';
import type { PreparationContext, WithholdingGuard } from '../query-preparation.js';
import { findCredential } from './credential.js';
import { findInjection } from './injection.js';
import { overlong } from './length.js';
import { outsideResidency } from './residency.js';
import { classify, highest, mayLeave } from './sensitivity.js';

/** The guard that withholds a query, and what it found: in words of its own, never the text's. */
export interface Withholding {
  readonly guard: WithholdingGuard;
  readonly what: string;
}

/**
 * Looks a query's complete text over, question and explicit subjects, before it is serialised (SQ-7). The guards are asked in the order of
 * `WITHHOLDING_GUARDS`, and the first that withholds is named. Length and the caller's floor hold for every embedder; the others where text
 * leaves this process. Credentials are looked for apart, since that takes a promise. All of it is local.
 */
export function withholdingOf(query: QueryText, context: PreparationContext): Withholding | null {
  const texts = textsOf(query);
  // Half of a surrogate pair: no canonical text can be made of it, so it comes before all that is about one.
  if (!texts.every((text) => text.isWellFormed())) return { guard: 'injection', what: 'half of a character' };
  const { egress, sensitivity_floor: floor } = context;
  const length = overlong(query);
  if (length !== null) return { guard: 'length', what: length };
  if (!mayLeave(floor)) return { guard: 'sensitivity', what: `the floor is ${floor}` };
  if (!egress.leaves_process) return null;
  return (
    classified(texts, context) ??
    found('residency', outsideResidency(egress)) ??
    found('injection', findInjection(texts))
  );
}

/** The last guard: what of a query's text is a credential, of these or of any (SQ-7). */
export async function credentialWithholding(query: QueryText, secrets: readonly string[]): Promise<Withholding | null> {
  return found('credential', await findCredential(textsOf(query), secrets));
}

function classified(texts: readonly string[], { sensitivity_floor: floor }: PreparationContext): Withholding | null {
  const finding = texts.map(classify).find((one) => one !== null);
  if (finding === undefined || mayLeave(highest(floor, finding.sensitivity))) return null;
  return { guard: 'sensitivity', what: finding.what };
}

function found(guard: WithholdingGuard, what: string | null): Withholding | null {
  return what === null ? null : { guard, what };
}

function textsOf({ question, subjects }: QueryText): string[] {
  return [question, ...subjects];
}
