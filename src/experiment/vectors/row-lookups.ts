import type { Digest } from '../../core/digest.js';
import type { Question } from '../../fixture/question.js';
import { queryTextDigest } from '../../memory/query-preparation/query-identity.js';
import type { LookupMiss } from '../../memory/query-preparation/query-preparation.js';
import type { Observation } from '../asking/observation.js';

/** One lookup of a query's vector. */
export interface RowLookup {
  /** Digest of the query's canonical text. */
  readonly text: Digest;
  readonly miss: LookupMiss | null;
}

/**
 * What a row of an arm that searches vectors looked up: its question, or each search of its reader (RT-8). Nothing where it did not come to that.
 *
 * @param questions of the row's fixture.
 */
export function lookupsOf(row: Observation, questions: ReadonlyMap<string, Question>): RowLookup[] {
  if (row.recall === 'deliberate')
    return row.searches.map(({ query, subjects, lookup_miss }) => ({
      text: queryTextDigest({ question: query, subjects }),
      miss: lookup_miss,
    }));
  const question = questions.get(row.question);
  if (question === undefined || row.effective_strategy === null) return [];
  return [{ text: queryTextDigest(question), miss: row.lookup_miss }];
}
