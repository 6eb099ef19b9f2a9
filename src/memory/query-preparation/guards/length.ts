import { type QueryText, queryText } from '../query-identity.js';

/** Longer canonical texts are withheld, never cut (SQ-7). */
export const QUERY_TEXT_LIMIT_BYTES = 4096;

/** What is too long of a query, counted in UTF-8 bytes of its canonical text; null where nothing is. */
export function overlong(query: QueryText): string | null {
  const bytes = Buffer.byteLength(queryText(query));
  return bytes > QUERY_TEXT_LIMIT_BYTES ? `${bytes} bytes` : null;
}
