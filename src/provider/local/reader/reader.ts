import type { LanguageResources } from '../language/resources.js';
import { answerFrom } from './answer.js';
import { LineParser } from './lines.js';
import { readQuestion } from './question.js';
import { rankSentences } from './relevance.js';
import { readReaderMessage } from './request.js';

/** A reader's completion (docs/formats/model-requests.md). */
export interface ReaderAnswer {
  readonly abstains: boolean;
  readonly answer: string;
}

const ABSTENTION: ReaderAnswer = { abstains: true, answer: '' };
const MAX_ANSWER_CHARACTERS = 300;

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
    const sentences = this.#parser.sentences(message.context);
    if (sentences.length === 0 || message.question.trim() === '') return ABSTENTION;
    const question = readQuestion(message.question.slice(0, 1_000), this.#language);
    const ranked = rankSentences(question, sentences, this.#language);
    const answer =
      answerFrom(question, ranked, this.#language)?.slice(0, MAX_ANSWER_CHARACTERS).toWellFormed().trim() ?? '';
    return answer === '' ? ABSTENTION : { abstains: false, answer };
  }
}
