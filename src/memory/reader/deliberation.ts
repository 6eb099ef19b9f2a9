import type { AssembledContext } from '../context/context.js';

/** The most searches that a reader makes for one question (RT-8). */
export const SEARCH_LIMIT = 3;

/** What a reader asks its memory for. Text of a model: it is data, is never cut, and reaches SQL as a parameter alone. */
export interface Search {
  readonly query: string;
  /** Names of those whom it is about, each once. */
  readonly subjects: readonly string[];
}

/** A search as the reader is told of it. */
export interface ToldSearch extends Search {
  /** Lines that it added to the context. */
  readonly new_lines: number;
}

/** What a reader searches for one question, with all that its searches found. */
export interface SearchedMemory {
  /** In order. */
  readonly searches: readonly ToldSearch[];
  /** Of all that was found so far; empty before the first search. */
  readonly context: AssembledContext;
  /** Adds what a search finds. A refused or failed one changes nothing. */
  search(search: Search, signal: AbortSignal): Promise<void>;
}

const CONTROL = /\p{Cc}/gu;

/** A search as a model wrote it, with each control character as a space, without space around, and without empty or repeated subjects. */
export function cleanSearch({ query, subjects }: Search): Search {
  const clean = (text: string): string => text.replace(CONTROL, ' ').trim();
  return { query: clean(query), subjects: [...new Set(subjects.map(clean))].filter((name) => name !== '') };
}
