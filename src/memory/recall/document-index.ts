import type pg from 'pg';
import type { Owner } from '../../fixture/history.js';
import type { RecallUnit } from '../memory.js';
import { recallRows } from './recall-database.js';
import { termFrequencies, termsOf } from './terms.js';

/** What a document is searched by. */
export type IndexKind = 'terms' | 'lexemes';

/** A document as the store gives it to be indexed. */
export interface IndexedDocument extends pg.QueryResultRow {
  readonly id: string;
  readonly version: number;
  readonly position: number;
  readonly visible_from: string;
  readonly sensitivity: number;
  /** The text that is searched: a belief's statement, or a turn with its speaker and caption. */
  readonly content: string;
}

/**
 * Indexes an owner's documents: all of them, or those that became stale. Two statements, whatever the number of documents. Every
 * sensitivity is indexed; row security hides what a question's ceiling forbids.
 *
 * @returns what was indexed, in order of store position: superseded beliefs too, since a question may precede what retired them.
 */
export async function indexDocuments(
  pool: pg.Pool,
  owner: Owner,
  unit: RecallUnit,
  kind: IndexKind,
  onlyStale: boolean,
): Promise<readonly IndexedDocument[]> {
  const documents = await recallRows<IndexedDocument>(pool, {
    text: 'select id, version, position::float8 as position, visible_from, sensitivity, content from search.read_documents($1, $2, $3, $4)',
    values: [owner.tenant, owner.principal, unit, onlyStale],
  });
  const postings = {
    terms: [] as string[],
    ids: [] as string[],
    frequencies: [] as number[],
  };
  const rows = documents.map((document) => {
    const terms = kind === 'terms' ? termsOf(document.content) : [];
    for (const [term, frequency] of termFrequencies(terms)) {
      postings.terms.push(term);
      postings.ids.push(document.id);
      postings.frequencies.push(frequency);
    }
    const { id, version, position, visible_from, sensitivity, content } = document;
    const searched = kind === 'terms' ? { length: terms.length } : { content };
    return { id, version, position, visible_from, sensitivity, ...searched };
  });
  await recallRows(pool, {
    text: 'select search.write_documents($1, $2, $3, $4, $5, $6, $7, $8)',
    values: [
      owner.tenant,
      owner.principal,
      unit,
      JSON.stringify(rows),
      kind === 'lexemes',
      postings.terms,
      postings.ids,
      postings.frequencies,
    ],
  });
  return documents;
}
