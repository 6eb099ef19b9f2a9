import type { LanguageResources } from '../language/resources.js';
import { answerFrom } from './answer.js';
import { LineParser } from './lines.js';
import { nextSearch, type ReaderSearch } from './next-search.js';
import { type AskedQuestion, readQuestion } from './question.js';
import { rankSentences } from './relevance.js';
import { type ReaderMessage, readReaderMessage } from './request.js';

/** A reader's completion (docs/formats/model-requests.md). */
export interface ReaderAnswer {
  readonly abstains: boolean;
  readonly answer: string;
  /** Only where the message offers searches (RT-8). */
  readonly search?: ReaderSearch | null;
}

const ABSTENTION: ReaderAnswer = { abstains: true, answer: '' };
const MAX_ANSWER_CHARACTERS = 300;
const MAX_QUESTION_CHARACTERS = 1_000;

/** Answers from the context alone. Deterministic: what it remembers of earlier lines changes its speed, never its answer. */
export class ExtractiveReader {
  readonly #language: LanguageResources;
  readonly #parser: LineParser;

  constructor(language: LanguageResources) {
    this.#language = language;
    this.#parser = new LineParser(language);
  }

  read(raw: unknown): ReaderAnswer {
    const message = readReaderMessage(raw);
    const question = readQuestion(message.question.slice(0, MAX_QUESTION_CHARACTERS), this.#language);
    const answer = this.#answer(message, question);
    // Where none is left, the schema has no room for a search either.
    if (message.searches_left === null || message.searches_left === 0) return answer;
    const search = answer.abstains ? nextSearch(question, message.searches, this.#language) : null;
    return search === null ? { ...answer, search } : { abstains: false, answer: '', search };
  }

  #answer(message: ReaderMessage, question: AskedQuestion): ReaderAnswer {
    const sentences = this.#parser.sentences(message.context);
    if (sentences.length === 0 || message.question.trim() === '') return ABSTENTION;
    const ranked = rankSentences(question, sentences, this.#language);
    const answer =
      answerFrom(question, ranked, this.#language)?.slice(0, MAX_ANSWER_CHARACTERS).toWellFormed().trim() ?? '';
    return answer === '' ? ABSTENTION : { abstains: false, answer };
  }
}
