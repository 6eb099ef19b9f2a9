import type { RecordedRequest } from '../../../experiment/run-record.js';

/** What a request says of its question. */
export interface AskedIn {
  readonly question: string;
  readonly present: string | null;
}

/** The question and its present in the readers' requests: their user message is JSON that holds both (docs/formats/model-requests.md). */
export function askedIn(requests: readonly RecordedRequest[]): AskedIn | null {
  for (const { messages } of requests) {
    for (const { role, content } of messages) {
      if (role !== 'user') continue;
      const sent = objectIn(content);
      if (typeof sent?.question !== 'string') continue;
      return { question: sent.question, present: typeof sent.present === 'string' ? sent.present : null };
    }
  }
  return null;
}

function objectIn(text: string): { readonly [key: string]: unknown } | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as { [key: string]: unknown }) : null;
  } catch {
    // A reader of another make may be sent text of any form.
    return null;
  }
}
