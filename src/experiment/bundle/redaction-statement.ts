import type { BundleManifest } from './bundle-format.js';
import { WORDS_IN_A_ROW } from './history-watch.js';

/** What a redacted bundle says of what was taken out of it. */
export function redactionStatement(): NonNullable<BundleManifest['redaction']> {
  return {
    removed: [
      'fixtures, but for their fixture.yaml: histories, questions, expected answers, transcripts',
      'banks with their states and expectations, and vector banks: what was formed of the history, and vectors of it',
      'belief states, exact requests, question vectors and lessons of the run folder',
      'answers, queries and subjects of rows, reasons of judgements: `[redacted …]` with a keyed digest, or `[redacted]`',
      'messages of failures and problems, and the difference between states that were formed live',
      "other systems' rankings, and people's verdicts",
    ],
    keyed: [
      'load and labels digests of fixtures and rows, also those that labels were changed from and to',
      'context, request and search digests of rows, requests of judgements, bodies of the ledger',
      'answers, queries and subjects',
      'ids of lessons, which are digests of names; and the digest of the lessons, under the digest of the sorted keys of all fixtures',
    ],
    key: 'HMAC-SHA-256 under the SHA-256 digest of the canonical JSON of {format: redaction-key@1, history, questions, labels} of the fixture: who has the fixture can make it, and check',
    remains: [
      'ids of fixtures, questions, turns and beliefs; categories, scores, counts, costs and times',
      'names that ids or fixture.yaml hold: of fixtures, owners and sessions',
      'the corpus, bank and state digests, which are over a whole history',
      `no ${WORDS_IN_A_ROW} words in a row of a history, a question, an expected answer or a belief: this was looked for`,
    ],
  };
}
