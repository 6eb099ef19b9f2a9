import type { Digest } from '../core/digest.js';
import type { Question } from '../fixture/question.js';
import type { ASKS, Fingerprint } from './fingerprint.js';
import { compareText } from './values.js';

type Asks = (typeof ASKS)[number];

const QUESTION_WORDS: ReadonlyMap<string, Asks> = new Map([
  ['who', 'who'],
  ['whom', 'who'],
  ['whose', 'who'],
  ['when', 'when'],
  ['where', 'where'],
  ['what', 'what'],
  ['which', 'which'],
  ['why', 'why'],
  ['how', 'how'],
]);

const AUXILIARIES = new Set(
  'am is are was were do does did has have had can could will would shall should may might must'.split(' '),
);

/**
 * What a question asks for, by its words alone (LE-6): yes or no where it begins with an auxiliary verb, else its first question word. English;
 * a question in another language asks `other`.
 */
export function asksOf(question: string): Asks {
  const words = question.toLowerCase().match(/[a-z]+/g) ?? [];
  if (AUXILIARIES.has(words[0] ?? '')) return 'yes-no';
  const place = words.findIndex((word) => QUESTION_WORDS.has(word));
  const asks = QUESTION_WORDS.get(words[place] ?? '') ?? 'other';
  return asks === 'how' && ['many', 'much'].includes(words[place + 1] ?? '') ? 'how-many' : asks;
}

/** The scope of lessons that a question shows: equal scopes match, and nothing less does. No label is in it. */
export function scopeOf(corpus: Digest, { question, subjects }: Question): Fingerprint['scope'] {
  return { corpus, subjects: [...new Set(subjects)].sort(compareText), asks: asksOf(question) };
}
