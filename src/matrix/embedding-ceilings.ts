import { parseUsd } from '../ledger/money.js';
import type { EmbeddingCeilings } from '../memory/query-preparation/admission.js';
import { type CeilingSettings, isRemote, type ResolvedMatrix } from './matrix.js';

/**
 * Ceilings where the matrix gives none: a full batch of items reserves half a cent at the price of a small embedding model and four cents at
 * that of a large one, and a day holds ten of the dearest requests.
 */
export const DEFAULT_CEILINGS_USD = { request_usd: '0.10', day_usd: '1.00' } as const;

/** Ceilings as a matrix gives them. */
export function ceilingSettings({
  request_usd,
  day_usd,
}: {
  readonly request_usd: string;
  readonly day_usd: string;
}): CeilingSettings {
  return { request_nano_usd: parseUsd(request_usd).toString(), day_nano_usd: parseUsd(day_usd).toString() };
}

/** The ceilings of what a matrix embeds; null where nothing of it is sent. A matrix of before they were there has the defaults. */
export function embeddingCeilings({ query_preparation, providers }: ResolvedMatrix): EmbeddingCeilings | null {
  if (query_preparation === null || query_preparation === 'off') return null;
  if (!isRemote(providers[query_preparation.embedding.provider])) return null;
  const { request_nano_usd, day_nano_usd } = query_preparation.ceilings ?? ceilingSettings(DEFAULT_CEILINGS_USD);
  return { request_nano_usd: BigInt(request_nano_usd), day_nano_usd: BigInt(day_nano_usd) };
}
