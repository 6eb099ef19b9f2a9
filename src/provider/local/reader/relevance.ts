import type { LanguageResources } from '../language/resources.js';
import { plainWords } from '../language/terms.js';
import type { ContextSentence } from './lines.js';
import type { AskedQuestion } from './question.js';

/** A sentence with how well it fits a question. */
export interface RankedSentence {
  readonly sentence: ContextSentence;
  /** Share of the question's weight that the sentence and its surroundings hold, 0 to 1. */
  readonly coverage: number;
  /** Orders sentences: coverage with subject and recency. */
  readonly score: number;
}

const CHANGE =
  /\b(?:now|instead|any ?more|these days|currently|moved|from (?:this|next) \w+|from (?:Jan|Feb|March|April|May|June|July|Aug|Sept|Oct|Nov|Dec)\w*)\b/;

/** Whom the question is about against whom a sentence is about. */
const SUBJECT = { match: 1, mentioned: 0.95, unknown: 0.75, other: 0.5 } as const;
/** What a line's other sentences, and the line before, lend to a sentence. */
const SAME_LINE = 0.8;
const LINE_BEFORE = 0.55;
const LINE_AFTER = 0.3;
const NAME_WEIGHT = 1.2;
const RECENCY = { plain: 0.02, latest: 0.2 } as const;

/** Ranks the sentences of a context for a question, best first; ties go to the later line, then to the earlier sentence. */
export function rankSentences(
  question: AskedQuestion,
  sentences: readonly ContextSentence[],
  { lexicon }: LanguageResources,
): RankedSentence[] {
  const lineCount = (sentences.at(-1)?.line ?? 0) + 1;
  const nearness = new Map<string, Float64Array>();
  const vectorOf = (lemma: string): Float64Array => {
    const known = nearness.get(lemma);
    if (known !== undefined) return known;
    const vector = Float64Array.from(question.terms, (term) => lexicon.nearness(term, lemma));
    nearness.set(lemma, vector);
    return vector;
  };
  const otherNames = question.names.filter((name) => !sentences.some((sentence) => sentence.subjects.includes(name)));
  const matches = sentences.map((sentence) => matchOf(sentence, question, vectorOf, otherNames));
  const width = question.terms.length + otherNames.length;
  const weights = weightsOf(matches, width, question.terms.length);
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const lines = linesOf(sentences, matches, lineCount, width);
  return sentences
    .map((sentence, index) => {
      const own = matches[index] ?? new Float64Array(width);
      let held = 0;
      for (let i = 0; i < width; i += 1) {
        const around = Math.max(
          own[i] ?? 0,
          SAME_LINE * (lines[sentence.line]?.[i] ?? 0),
          LINE_BEFORE * (lines[sentence.line - 1]?.[i] ?? 0),
          LINE_AFTER * (lines[sentence.line + 1]?.[i] ?? 0),
        );
        held += (weights[i] ?? 0) * around;
      }
      const coverage = held / total;
      const subject = subjectFit(sentence, question);
      const recency =
        (question.wantsLatest ? RECENCY.latest : RECENCY.plain) *
        (lineCount <= 1 ? 0 : sentence.line / (lineCount - 1));
      const saysChange = question.wantsLatest && CHANGE.test(sentence.text);
      return {
        sentence,
        coverage: coverage * subject,
        score: coverage * subject * (1 + recency) * (saysChange ? 1.2 : 1) + (saysChange ? 0.03 : 0),
      };
    })
    .sort((a, b) => b.score - a.score || b.sentence.line - a.sentence.line || a.sentence.place - b.sentence.place);
}

function matchOf(
  sentence: ContextSentence,
  question: AskedQuestion,
  vectorOf: (lemma: string) => Float64Array,
  otherNames: readonly string[],
): Float64Array {
  const match = new Float64Array(question.terms.length + otherNames.length);
  for (const lemma of sentence.lemmas) {
    const vector = vectorOf(lemma);
    for (let i = 0; i < vector.length; i += 1) match[i] = Math.max(match[i] ?? 0, vector[i] ?? 0);
  }
  otherNames.forEach((name, i) => {
    if (mentions(sentence.text, name)) match[question.terms.length + i] = 1;
  });
  return match;
}

/** Rare terms weigh more; a term that the whole context lacks weighs most. */
function weightsOf(matches: readonly Float64Array[], width: number, termCount: number): number[] {
  return Array.from({ length: width }, (_, i) => {
    const frequency = matches.reduce((sum, match) => sum + ((match[i] ?? 0) >= 0.8 ? 1 : 0), 0);
    const rarity = 1 + 0.35 * Math.log((matches.length + 2) / (frequency + 1));
    return i < termCount ? rarity : rarity * NAME_WEIGHT;
  });
}

function linesOf(
  sentences: readonly ContextSentence[],
  matches: readonly Float64Array[],
  count: number,
  width: number,
): Float64Array[] {
  const lines = Array.from({ length: count }, () => new Float64Array(width));
  sentences.forEach((sentence, index) => {
    const line = lines[sentence.line];
    if (line === undefined) return;
    for (let i = 0; i < width; i += 1) line[i] = Math.max(line[i] ?? 0, matches[index]?.[i] ?? 0);
  });
  return lines;
}

/** Whether a text names someone, by any word of the name. */
export function mentions(text: string, name: string): boolean {
  const words = new Set(plainWords(text));
  return (
    plainWords(name).some((word) => word.length > 3 && words.has(word)) ||
    plainWords(name).every((word) => words.has(word))
  );
}

const FIRST_PERSON = /\b(?:i|my|me|mine|we|our|us)\b(?:['’]\w+)?/i;

function subjectFit(sentence: ContextSentence, question: AskedQuestion): number {
  if (question.names.length === 0) return SUBJECT.match;
  const isAbout = question.names.some((name) => sentence.subjects.includes(name));
  if (isAbout) return SUBJECT.match;
  if (question.names.some((name) => mentions(sentence.text, name))) return SUBJECT.mentioned;
  if (sentence.isTurn && /\byou(?:r|rs)?\b/i.test(sentence.text) && !FIRST_PERSON.test(sentence.text))
    return SUBJECT.unknown;
  return SUBJECT.other;
}
