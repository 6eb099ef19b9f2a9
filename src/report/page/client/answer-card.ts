import type { AnswerDetail, FixtureTexts, LessonText, QuestionIndex } from '../questions/page-data.js';
import { dollars } from './dollars.js';
import { type Child, countOf, data, element, lazyDetails, longData } from './dom.js';
import { judgementPart } from './judgement-part.js';
import { requestView } from './request-view.js';
import { foundList, retrievedList } from './retrieved-list.js';
import { causeWords, scoreWords, stateWords } from './words.js';

/** What a question's cards share. */
export interface CardContext {
  readonly index: QuestionIndex;
  readonly texts: FixtureTexts;
  /** Ids of the evidence turns. */
  readonly evidence: ReadonlySet<string>;
  /** Whether an arm was asked several times: then each answer says which it is. */
  readonly isRepeated: boolean;
}

/** One answer of one arm: what it said, how it scored, where it was lost, and everything that it was made from. */
export function answerCard(context: CardContext, answer: AnswerDetail): HTMLElement {
  const { index } = context;
  const arm = index.arms[answer.arm];
  return element(
    'article',
    { class: 'answer' },
    element(
      'h3',
      {},
      data(arm?.name ?? ''),
      arm?.reference ? element('small', {}, ' reference') : null,
      answer.oracle ? element('small', {}, ' (was handed the evidence)') : null,
      context.isRepeated ? element('small', {}, ` bank ${answer.replicate}, repeat ${answer.repeat}`) : null,
    ),
    element('p', { class: 'said' }, ...said(answer)),
    resultLine(index, answer),
    scoresTable(answer),
    ...answer.judgements.map(judgementPart),
    retrievedPart(context, answer, arm?.name ?? ''),
    searchesPart(context, answer),
    lessonsPart(context, answer),
    requestView(context.texts, answer),
    costPart(answer),
  );
}

function said({ state, answer, problem }: AnswerDetail): Child[] {
  if (state === 'answered') return [longData(answer ?? '')];
  if (state === 'abstained') return [element('em', {}, 'abstained')];
  return [
    element('em', {}, stateWords(state)),
    problem === null ? null : ': ',
    problem === null ? null : longData(problem),
  ];
}

function resultLine(index: QuestionIndex, { scores, miss }: AnswerDetail): HTMLElement | null {
  const score = index.scorer === null ? null : (scores[index.scorer] ?? null);
  if (score === null) return null;
  const isRight = score >= index.right_from;
  return element(
    'p',
    { class: isRight ? 'result good' : 'result bad' },
    isRight ? '✓ right' : '✗ wrong',
    ` (${index.scorer} ${scoreWords(score)})`,
    miss === null ? null : `: ${causeWords(miss.cause)}`,
    miss === null || miss.turns.length === 0 ? null : element('span', {}, ', of ', data(miss.turns.join(', '))),
  );
}

function scoresTable({ scores }: AnswerDetail): HTMLElement | null {
  const rows = Object.entries(scores).flatMap(([scorer, score]) => (score === null ? [] : [[scorer, score] as const]));
  if (rows.length === 0) return null;
  return lazyDetails('Scores', () => [
    element(
      'dl',
      { class: 'facts' },
      ...rows.flatMap(([scorer, score]) => [element('dt', {}, data(scorer)), element('dd', {}, scoreWords(score))]),
    ),
  ]);
}

function retrievedPart({ texts, evidence }: CardContext, answer: AnswerDetail, arm: string): HTMLElement {
  const { retrieved, strategy, lookup_miss } = answer;
  // An arm that is named by its strategy has said it.
  const how = [
    ...(strategy === arm ? [] : [strategy]),
    ...(lookup_miss === null ? [] : [`its lookup missed: ${lookup_miss}`]),
  ];
  const note = how.length === 0 ? null : element('p', { class: 'note' }, data(how.join('; ')));
  if (retrieved.length === 0)
    return element('div', {}, note, element('p', { class: 'note' }, 'Nothing was retrieved.'));
  const out = retrieved.filter(([, , , , isIn]) => isIn === false).length;
  const cut = out === 0 ? '' : `, ${out} left out of the context`;
  return element(
    'div',
    {},
    note,
    lazyDetails(
      `Retrieved: ${countOf(retrieved.length, 'item')}${cut}`,
      () => [retrievedList(texts, evidence, retrieved)],
      'retrieved',
    ),
  );
}

function searchesPart({ texts, evidence }: CardContext, { searches }: AnswerDetail): Child {
  if (searches.length === 0) return null;
  return lazyDetails(`Searches it made: ${searches.length}`, () => [
    element(
      'ol',
      { class: 'searches' },
      ...searches.map(({ query, subjects, strategy, lookup_miss, found, new_lines }) =>
        element(
          'li',
          {},
          longData(query),
          element(
            'span',
            { class: 'note' },
            subjects.length === 0 ? null : data(` about ${subjects.join(', ')}`),
            ` by ${strategy}${lookup_miss === null ? '' : `, its lookup missed: ${lookup_miss}`}; `,
            `found ${countOf(found.length, 'item')}, ${countOf(new_lines, 'new line')} for the context`,
          ),
          found.length === 0 ? null : lazyDetails('What it found', () => [foundList(texts, evidence, found)]),
        ),
      ),
    ),
  ]);
}

function lessonsPart({ texts }: CardContext, { lessons }: AnswerDetail): Child {
  if (lessons.length === 0) return null;
  return lazyDetails(`Lessons in its context: ${lessons.length}`, () => [
    element(
      'ul',
      { class: 'lessons' },
      ...lessons.map((place) => {
        const { id, text } = texts.lessons[place] as LessonText;
        return element(
          'li',
          {},
          text === null ? 'its text is not at hand' : longData(text),
          element('span', { class: 'note' }, ' ', data(id)),
        );
      }),
    ),
  ]);
}

function costPart({ attributed_nano_usd, actual, timings_ms, reported_models }: AnswerDetail): HTMLElement {
  const facts: [string, Child][] = [
    ['Attributed', attributed_nano_usd === null ? 'unpriced or unknown' : dollars(attributed_nano_usd)],
    [
      'Paid in this run',
      `${dollars(actual.nano_usd)}, ${countOf(actual.calls, 'send')}${
        actual.uncertain_nano_usd === 0 ? '' : `, ${dollars(actual.uncertain_nano_usd)} held as uncertain`
      }`,
    ],
    [
      'Took',
      timings_ms === null
        ? 'not measured'
        : `recall ${timings_ms.recall} ms, context ${timings_ms.context} ms, reader ${timings_ms.reader} ms`,
    ],
    ['Reported model', reported_models.length === 0 ? 'none' : data(reported_models.join(', '))],
  ];
  return lazyDetails('Cost and time', () => [
    element(
      'dl',
      { class: 'facts' },
      ...facts.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
    ),
  ]);
}
