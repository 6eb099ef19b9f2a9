import type { LanguageResources } from '../language/resources.js';
import { splitSentences } from '../language/sentences.js';
import { contentLemmas } from '../language/terms.js';

/** A sentence of the context with where it stands. */
export interface ContextSentence {
  readonly text: string;
  readonly lemmas: readonly string[];
  /** Index of its line, and its place in it. */
  readonly line: number;
  readonly place: number;
  /** Whoever said it, or whom the belief is about. */
  readonly subjects: readonly string[];
  /** True where "I" is the one subject: the line is a turn. */
  readonly isTurn: boolean;
  /** Civil time or date of the line; empty where it has none. */
  readonly at: string;
}

const LINE = /^\[(\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2})?)\] (?:\(([^)]*)\) |([^:]{1,80}): )?(.*)$/su;
const CACHE_LIMIT = 8_192;

type Parsed = Omit<ContextSentence, 'line'>;

/** Parses context lines, of which one without its date is no note and holds nothing; lines seen before in this process are remembered, within a bound. */
export class LineParser {
  readonly #language: LanguageResources;
  readonly #cache = new Map<string, readonly Parsed[]>();

  constructor(language: LanguageResources) {
    this.#language = language;
  }

  sentences(lines: readonly string[]): ContextSentence[] {
    return lines.flatMap((text, line) => this.#parse(text).map((sentence) => ({ ...sentence, line })));
  }

  #parse(line: string): readonly Parsed[] {
    const known = this.#cache.get(line);
    if (known !== undefined) return known;
    const [, at = '', people, speaker, body = ''] = LINE.exec(line) ?? [];
    const subjects = speaker !== undefined ? [speaker] : (people ?? '').split(', ').filter((name) => name !== '');
    const parsed = splitSentences(body).map((text, place) => ({
      text,
      lemmas: contentLemmas(text, this.#language.lexicon),
      place,
      subjects,
      isTurn: speaker !== undefined,
      at: at.replace(' ', 'T'),
    }));
    if (this.#cache.size >= CACHE_LIMIT) this.#cache.clear();
    this.#cache.set(line, parsed);
    return parsed;
  }
}
