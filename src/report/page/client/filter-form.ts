import { type Filters, NO_FILTERS } from '../questions/address.js';
import { type QuestionIndex, ROW_STATES } from '../questions/page-data.js';
import { visibleText } from '../visible-text.js';
import { element } from './dom.js';
import { RESULTS } from './filter.js';
import { causeWords, resultWords, stateWords } from './words.js';

/** The form above the list. */
export interface FilterForm {
  readonly element: HTMLFormElement;
  read(): Filters;
  show(filters: Filters): void;
}

type Choice = readonly [value: string, words: string];

/** @param changed called after every change by hand. */
export function filterForm(index: QuestionIndex, changed: () => void): FilterForm {
  const own = (words: readonly string[]): Choice[] => words.map((word) => [word, visibleText(word)]);
  const fields = {
    text: element('input', { type: 'search', placeholder: 'question, answer, id …', autocomplete: 'off' }),
    arm: choices('every arm', own(index.arms.map(({ name }) => name))),
    right: choices('any arm', own(index.arms.map(({ name }) => name))),
    wrong: choices('any arm', own(index.arms.map(({ name }) => name))),
    result: choices(
      'right or wrong',
      RESULTS.map((result) => [result, resultWords(result)]),
    ),
    cause: choices(
      'any cause',
      index.causes.map((cause) => [cause, causeWords(cause)]),
    ),
    state: choices(
      'any outcome',
      ROW_STATES.map((state) => [state, stateWords(state)]),
    ),
    category: choices('every category', own(index.categories)),
    fixture: choices('every fixture', own(index.fixtures)),
    sample: choices('every question', [
      ['in', 'in-sample'],
      ['out', 'all others'],
    ]),
    sort: choices('as asked', [['worst', 'worst first']]),
  };
  const names = Object.keys(fields) as (keyof typeof fields)[];
  const clear = element('button', { type: 'reset' }, 'Show all');
  const form = element(
    'form',
    { class: 'filters', 'aria-label': 'Which questions are shown' },
    labelled('Search', fields.text),
    labelled('Arm', fields.arm),
    labelled('Result', fields.result),
    labelled('Lost by', fields.cause),
    labelled('Outcome', fields.state),
    labelled('Category', fields.category),
    labelled('Fixture', fields.fixture),
    ...(index.arms.length < 2 ? [] : [labelled('Right under', fields.right), labelled('Wrong under', fields.wrong)]),
    ...(index.questions.in_sample === null ? [] : [labelled('Lessons', fields.sample)]),
    labelled('Order', fields.sort),
    clear,
  );
  const show = (filters: Filters): void => {
    for (const name of names) fields[name].value = filters[name];
  };
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('input', changed);
  form.addEventListener('reset', (event) => {
    event.preventDefault();
    show(NO_FILTERS);
    changed();
  });
  return {
    element: form,
    read: () => Object.fromEntries(names.map((name) => [name, fields[name].value])) as unknown as Filters,
    show,
  };
}

function choices(all: string, options: readonly Choice[]): HTMLSelectElement {
  return element(
    'select',
    {},
    element('option', { value: '' }, all),
    ...options.map(([value, words]) => element('option', { value }, words)),
  );
}

function labelled(words: string, field: HTMLElement): HTMLElement {
  field.id = `filter-${words.toLowerCase().replace(' ', '-')}`;
  return element('div', {}, element('label', { for: field.id }, words), field);
}
