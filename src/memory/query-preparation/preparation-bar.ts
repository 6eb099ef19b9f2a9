import type { Owner } from '../../fixture/history.js';
import { type Withholding, withholdingOf } from './guards/withholding.js';
import type { IneligibleReason, LookupMiss, PreparationContext, SemanticQuery } from './query-preparation.js';

/** What keeps a query from being prepared: its word, and the guard that withheld it, where one did. */
export interface PreparationBar {
  readonly miss: LookupMiss;
  readonly withheld: Withholding | null;
}

/**
 * Whether a query may be prepared, as far as a lookup can tell: another owner's, another scope than standard, legacy candidate selection
 * or empty text is ineligible (SQ-6); then the guards are asked, but that of credentials (SQ-7). The read ceiling has no say: it cannot
 * lower the floor.
 *
 * @param owner null where the caller prepares for owners whom it has chosen itself.
 * @returns null where nothing bars it.
 */
export function preparationBar(
  query: SemanticQuery,
  owner: Owner | null,
  context: PreparationContext,
): PreparationBar | null {
  const reason = ineligibility(query, owner);
  if (reason !== null) return { miss: `ineligible:${reason}`, withheld: null };
  const withheld = withholdingOf(query, context);
  return withheld === null ? null : { miss: `withheld:${withheld.guard}`, withheld };
}

function ineligibility(query: SemanticQuery, owner: Owner | null): IneligibleReason | null {
  const isOwners = owner === null || (query.owner.tenant === owner.tenant && query.owner.principal === owner.principal);
  if (!isOwners) return 'owner';
  if (query.scope !== 'standard') return 'scope';
  if (query.candidates !== 'permitted') return 'selection';
  return query.question.trim() === '' ? 'empty' : null;
}
