import type { LanguageResources } from '../language/resources.js';
import { isTooWeak } from './abstain.js';
import { ownerAnswer, yesNoAnswer } from './answer-owner.js';
import { dateAnswer, lineDate } from './extract-date.js';
import { personsIn } from './extract-person.js';
import { placeIn } from './extract-place.js';
import { thingsIn } from './extract-thing.js';
import { listAnswer, sumAnswer } from './gather.js';
import { clockIn, countIn, durationIn, moneyIn, weekdayIn } from './measures.js';
import type { AnswerType, AskedQuestion } from './question.js';
import type { RankedSentence } from './relevance.js';

/** Sentences behind the best that may still give the span, and how near in score they must come. */
const REACH = { sentences: 8, share: 0.62, listShare: 0.4, fewLines: 4 } as const;

const LOOKED_AT = 12;
const SPAN_BONUS = 1.4;

type Extract = (ranked: RankedSentence, question: AskedQuestion, language: LanguageResources) => string | null;

const EXTRACTORS: Readonly<Record<Exclude<AnswerType, 'yes-no' | 'owner'>, Extract>> = {
  money: ({ sentence }) => moneyIn(sentence.text),
  duration: ({ sentence }) => durationIn(sentence.text),
  count: ({ sentence }, question) => countIn(sentence.text, countedNoun(question.text)),
  weekday: ({ sentence }) => weekdayIn(sentence.text),
  time: ({ sentence }) => clockIn(sentence.text),
  date: (ranked, question) => dateAnswer(ranked, question.text),
  place: ({ sentence }, question, language) => placeIn(sentence.text, question, language),
  person: ({ sentence }, question, language) => personsIn(sentence, question, language)[0] ?? null,
  name: ({ sentence }, question, language) =>
    calledIn(sentence.text) ?? personsIn(sentence, question, language)[0] ?? null,
  reason: ({ sentence }) =>
    /\b(?:because|since|so that|so|as|in order to|to) (.+?)[.!]*$/i.exec(sentence.text)?.[1] ?? null,
  manner: ({ sentence }, question, language) =>
    thingsIn(sentence.text, question, language)[0]?.text ?? clauseOf(sentence.text),
  thing: ({ sentence }, question, language) => thingsIn(sentence.text, question, language)[0]?.text ?? null,
};

/** The answer to a question from ranked sentences; null to abstain. */
export function answerFrom(
  question: AskedQuestion,
  unsorted: readonly RankedSentence[],
  language: LanguageResources,
): string | null {
  const ranked = preferSpans(question, unsorted, language);
  const best = ranked[0];
  if (best === undefined) return null;
  const lineCount = new Set(unsorted.map(({ sentence }) => sentence.line)).size;
  if (question.type === 'owner') return ownerAnswer(question, unsorted, lineCount, language);
  if (question.type === 'yes-no') return yesNoAnswer(question, unsorted, lineCount, language);
  if (isTooWeak(question.type, best.coverage, lineCount)) return null;
  const share = question.wantsList || question.wantsSum ? REACH.listShare : REACH.share;
  const near = ranked.filter(
    (other, order) =>
      lineCount <= REACH.fewLines ||
      other.sentence.line === best.sentence.line ||
      (order < REACH.sentences && other.score >= best.score * share),
  );
  if (question.type === 'money' && question.wantsSum) return sumAnswer(near) ?? null;
  if (question.wantsList) {
    const list = listAnswer(question, near, language);
    if (list !== null) return list;
  }
  return firstSpan(question, near, lineCount, language);
}

/** Sentences that hold a span of the wanted shape go before others that fit a little better. */
function preferSpans(
  question: AskedQuestion,
  ranked: readonly RankedSentence[],
  language: LanguageResources,
): RankedSentence[] {
  if (
    question.type === 'owner' ||
    question.type === 'yes-no' ||
    question.type === 'thing' ||
    question.type === 'manner'
  )
    return [...ranked];
  const extract = EXTRACTORS[question.type];
  const looked = ranked.slice(0, LOOKED_AT).map((item, order) => ({
    item,
    order,
    score: item.score * (extract(item, question, language) === null ? 1 : SPAN_BONUS),
  }));
  looked.sort((a, b) => b.score - a.score || a.order - b.order);
  return [...looked.map(({ item, score }) => ({ ...item, score })), ...ranked.slice(LOOKED_AT)];
}

function firstSpan(
  question: AskedQuestion,
  near: readonly RankedSentence[],
  lineCount: number,
  language: LanguageResources,
): string | null {
  const extract = EXTRACTORS[question.type as Exclude<AnswerType, 'yes-no' | 'owner'>];
  if (question.type === 'thing' && question.focus !== null) {
    const instance = near
      .flatMap((ranked) => thingsIn(ranked.sentence.text, question, language))
      .find((thing) => thing.isInstance);
    if (instance !== undefined) return instance.text;
    // A long context that holds no instance of what was asked for does not hold the answer.
    if (lineCount > REACH.fewLines) return null;
  }
  if (question.type === 'name') {
    const called = near.map(({ sentence }) => calledIn(sentence.text)).find((name) => name !== null);
    if (called !== undefined && called !== null) return called;
  }
  for (const ranked of near) {
    const span = extract(ranked, question, language);
    if (span !== null && span.trim() !== '') return span.trim();
  }
  const best = near[0];
  return question.type === 'date' && best !== undefined ? lineDate(best, question.text) : null;
}

function countedNoun(question: string): RegExp | null {
  const noun = /\bhow many ([a-z-]+)/i.exec(question)?.[1];
  return noun === undefined ? null : new RegExp(noun.replace(/s$/, ''), 'i');
}

function calledIn(text: string): string | null {
  return (
    /\b(?:called|calling|named|naming|nicknamed|name is|name['’]s)(?: (?:her|him|it|them))? ((?:\p{Lu}[\p{Ll}]+)(?: \p{Lu}[\p{Ll}]+)*)/u.exec(
      text,
    )?.[1] ?? null
  );
}

function clauseOf(text: string): string {
  return text.replace(/[.!]+$/, '').split(/[,;:] /)[0] ?? text;
}
