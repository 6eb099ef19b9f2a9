import { canonicalJson } from '../core/canonical-json.js';
import { digestText } from '../core/digest.js';
import { bankRefused } from '../core/errors.js';
import { VECTOR_BANK_LIMIT_BYTES, type VectorBankIdentity } from './vector-bank.js';

/** The header beside its identity, items and questions: digests, the usage, a few names that a provider reports. */
const REST_OF_HEADER_BYTES = 8_192;
const LONGEST_USAGE = Object.fromEntries(
  ['input_uncached', 'cache_read', 'cache_write', 'output', 'reasoning'].map((kind) => [kind, Number.MAX_SAFE_INTEGER]),
);
/** A digest in the header's list, with its quotes and comma. */
const ITEM_BYTES = canonicalJson([digestText(''), digestText('')]).length - canonicalJson([digestText('')]).length;
const QUERY_BYTES = canonicalJson({ text: digestText(''), usage: LONGEST_USAGE }).length + 1;

/** The most bytes that the vector bank of so many texts and questions can come to. */
export function vectorBankBound(identity: VectorBankIdentity, items: number, queries: number): number {
  const values = (items + queries) * identity.embedding.dimensions * Float32Array.BYTES_PER_ELEMENT;
  const header = Buffer.byteLength(canonicalJson(identity)) + items * ITEM_BYTES + queries * QUERY_BYTES;
  return values + header + REST_OF_HEADER_BYTES;
}

/**
 * Refuses a recording whose bank could not be sealed (VB-2), before anything is paid for it.
 *
 * @param what the texts are, in words.
 * @throws `VECTOR_BANK_TOO_LARGE` (exit 5).
 */
export function refuseTooManyVectors(what: string, identity: VectorBankIdentity, items: number, queries: number): void {
  const bytes = vectorBankBound(identity, items, queries);
  if (bytes <= VECTOR_BANK_LIMIT_BYTES) return;
  throw bankRefused(
    'VECTOR_BANK_TOO_LARGE',
    `the vectors of ${items} ${what} and ${queries} questions may take ${bytes} bytes; a vector bank has at most ${VECTOR_BANK_LIMIT_BYTES}`,
    {
      remedy:
        'split the history into smaller fixtures, ask fewer questions, embed with fewer dimensions, or use `vector_banks: { bank: off }`',
    },
  );
}
