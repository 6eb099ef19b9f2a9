import { showCount } from '../../number-text.js';
import type { QuestionIndex } from '../questions/page-data.js';
import { visibleText } from '../visible-text.js';
import { armMark } from './arm-mark.js';
import { countOf, data, element } from './dom.js';
import { type Found, resultOf, stateOf } from './filter.js';
import { inSampleTag } from './in-sample-tag.js';
import { causeWords, resultWords, scoreWords, stateWords } from './words.js';

/** Questions on one page of the list: the whole list of a large run would be slow to lay out, and to read. */
export const PAGE_QUESTIONS = 50;

export interface QuestionList {
  readonly element: HTMLElement;
  show(found: Found): void;
  /** Puts the focus back on a question, on whichever page of the list it is. */
  focus(question: number): void;
}

/** @param open called with a question that was chosen. */
export function questionList(
  index: QuestionIndex,
  by: readonly (readonly number[])[],
  open: (question: number) => void,
): QuestionList {
  const body = element('tbody');
  const status = element('p', { class: 'status', role: 'status', 'aria-live': 'polite' });
  const pager = {
    before: pageButton('Previous'),
    after: pageButton('Next'),
    where: element('span', { class: 'muted' }),
  };
  const table = element(
    'table',
    {},
    element('caption', { class: 'visually-hidden' }, 'Questions, and the score of each arm'),
    element('thead', {}, headRow(index)),
    body,
  );
  let [found, first]: [Found, number] = [{ questions: [], answers: 0 }, 0];

  const lay = (): void => {
    const shown = found.questions.slice(first, first + PAGE_QUESTIONS);
    body.replaceChildren(...shown.map((question) => questionRow(index, by[question] ?? [], question, open)));
    const { length } = found.questions;
    pager.where.textContent =
      length === 0 ? '' : `${showCount(first + 1)}–${showCount(first + shown.length)} of ${showCount(length)}`;
    pager.before.disabled = first === 0;
    pager.after.disabled = first + PAGE_QUESTIONS >= length;
  };
  const turn = (pages: number): boolean => {
    const to = first + pages * PAGE_QUESTIONS;
    if (to < 0 || to >= found.questions.length) return false;
    first = to;
    lay();
    return true;
  };
  pager.before.addEventListener('click', () => turn(-1));
  pager.after.addEventListener('click', () => turn(1));
  body.addEventListener('keydown', (event) => moveFocus(event, body, turn));

  return {
    element: element(
      'div',
      { class: 'list' },
      status,
      element('p', { class: 'note' }, legend(index)),
      element('div', { class: 'scroll', role: 'region', 'aria-label': 'Questions' }, table),
      element('div', { class: 'pager' }, pager.before, pager.where, pager.after),
    ),
    show: (now) => {
      [found, first] = [now, 0];
      const questions = `${countOf(now.questions.length, 'question')} of ${showCount(by.length)}`;
      status.textContent = `${questions}; ${countOf(now.answers, 'answer')} of ${showCount(index.rows.arm.length)} match`;
      lay();
    },
    focus: (question) => {
      const at = found.questions.indexOf(question);
      if (at === -1) return;
      first = at - (at % PAGE_QUESTIONS);
      lay();
      buttonsOf(body)[at % PAGE_QUESTIONS]?.focus();
    },
  };
}

function legend({ scorer, right_from, rows, arms }: QuestionIndex): string {
  const right = scorer === null ? 'right' : `${scorer} ${right_from} or more`;
  const isRepeated = rows.arm.some(
    (arm, row) => row > 0 && arm === rows.arm[row - 1] && rows.question[row] === rows.question[row - 1],
  );
  const several = isRepeated ? ' 2/3: of three answers of an arm two are right.' : '';
  const under =
    arms.length < 2 ? '' : ' Right and wrong under an arm are by the mean of its answers, own failures being wrong.';
  return `✓ ${right}; ✗ less; a number is a score that is neither 0 nor 1; ! failed by its own doing; ? no score; * reference, not ranked.${several}${under}`;
}

function pageButton(words: string): HTMLButtonElement {
  return element('button', { type: 'button' }, words);
}

function headRow({ arms }: QuestionIndex): HTMLTableRowElement {
  return element(
    'tr',
    {},
    element('th', { scope: 'col' }, 'Question'),
    ...arms.map(({ name, reference }) =>
      element(
        'th',
        { scope: 'col', class: 'arm' },
        element('span', {}, data(name), reference ? element('abbr', { title: 'reference, not ranked' }, '*') : null),
      ),
    ),
  );
}

function questionRow(
  index: QuestionIndex,
  rows: readonly number[],
  question: number,
  open: (question: number) => void,
): HTMLTableRowElement {
  const { questions, arms } = index;
  const id = questions.id[question] as string;
  const button = element('button', { type: 'button', class: 'question' }, data(questions.text[question] ?? id));
  button.addEventListener('click', () => open(question));
  const expected = questions.expected[question];
  return element(
    'tr',
    {},
    element(
      'th',
      { scope: 'row' },
      button,
      element(
        'span',
        { class: 'note' },
        data(id),
        ' · ',
        data(index.categories[questions.category[question] as number] ?? ''),
        expected ? ' · expected ' : null,
        expected ? data(expected) : null,
        questions.answerable[question] === 0 ? ' · cannot be answered' : null,
        questions.in_sample?.[question] === 1 ? ' · ' : null,
        questions.in_sample?.[question] === 1 ? inSampleTag() : null,
      ),
    ),
    ...arms.map(({ name }, arm) =>
      armCell(
        index,
        rows.filter((row) => index.rows.arm[row] === arm),
        name,
      ),
    ),
  );
}

/** An arm's answers to one question: a mark that needs no colour, and the mean score. */
function armCell(index: QuestionIndex, rows: readonly number[], arm: string): HTMLTableCellElement {
  if (rows.length === 0)
    return element('td', { class: 'none', 'data-arm': visibleText(arm), title: `${visibleText(arm)}: not asked` }, '');
  const words = rows.map((row) => {
    const cause = index.causes[index.rows.cause[row] as number];
    const score = index.rows.score[row] ?? null;
    const result = resultOf(index, row);
    return [
      stateWords(stateOf(index, row)),
      score === null || result === 'unscored'
        ? resultWords('unscored')
        : `${resultWords(result)}, ${scoreWords(score)}`,
      ...(cause === undefined ? [] : [causeWords(cause)]),
    ].join(', ');
  });
  const spoken = `${visibleText(arm)}: ${words.join('; ')}`;
  const { kind, shape, score } = armMark(index, rows);
  return element(
    'td',
    { class: kind, 'data-arm': visibleText(arm), title: spoken },
    mark(shape, spoken),
    score === null || Number.isInteger(score)
      ? null
      : element('span', { class: 'score', 'aria-hidden': 'true' }, scoreWords(score)),
  );
}

function mark(shape: string, spoken: string): HTMLElement {
  return element(
    'span',
    { class: 'mark' },
    element('span', { 'aria-hidden': 'true' }, shape),
    element('span', { class: 'visually-hidden' }, spoken),
  );
}

function buttonsOf(body: HTMLElement): HTMLButtonElement[] {
  return [...body.querySelectorAll<HTMLButtonElement>('button.question')];
}

/** Arrow keys go from question to question, and over the ends of a page to the next one; Home and End to its ends. */
function moveFocus(event: KeyboardEvent, body: HTMLElement, turn: (pages: number) => boolean): void {
  const buttons = buttonsOf(body);
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  if (at === -1) return;
  const to: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: buttons.length - 1,
  };
  const next = to[event.key];
  if (next === undefined) return;
  event.preventDefault();
  if (next < 0) {
    if (turn(-1)) buttonsOf(body).at(-1)?.focus();
  } else if (next >= buttons.length) {
    if (turn(1)) buttonsOf(body)[0]?.focus();
  } else {
    buttons[next]?.focus();
  }
}
