import type { Attribution } from '../../ledger/ledger.js';
import type { EmbeddingKind } from '../../memory/query-preparation/admission.js';

/** The one id that a send has in both ledgers (SQ-13): ids of a run's ledger are unique within the run. */
export function receiptId(run: string, reservation: string): string {
  return `${run}/${reservation}`;
}

/** What a call spends the owner's embedding allowance on; null where it embeds nothing. */
export function embeddingKind({ stage }: Pick<Attribution, 'stage'>): EmbeddingKind | null {
  return stage === 'index' || stage === 'query' ? stage : null;
}
