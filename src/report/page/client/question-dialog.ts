import { showCount } from '../../number-text.js';
import type { DetailBlock, FixtureTexts, QuestionDetail, QuestionIndex } from '../questions/page-data.js';
import { answerCard } from './answer-card.js';
import { type Child, data, element, longData } from './dom.js';
import { inSampleTag } from './in-sample-tag.js';
import { turnLine } from './turn-line.js';
import { unpackKept } from './unpack.js';
import { minuteWords } from './words.js';

/** One question, its arms side by side, over the page. */
export interface QuestionDialog {
  readonly element: HTMLDialogElement;
  /** @param among the questions that the list has found, to go from one to the next. */
  open(question: number, among: readonly number[]): Promise<void>;
}

/** The changes that the page's address follows. */
export interface DialogEvents {
  opened(question: number): void;
  closed(question: number): void;
}

export function questionDialog(index: QuestionIndex, events: DialogEvents): QuestionDialog {
  const content = element('div', { class: 'question-detail' });
  const title = element('h2', { id: 'question-title', tabindex: -1 });
  const where = element('span', { class: 'muted', role: 'status' });
  const buttons = { before: button('← Previous'), after: button('Next →'), close: button('Close') };
  const dialog = element(
    'dialog',
    { class: 'question-dialog', 'aria-labelledby': 'question-title' },
    element('div', { class: 'bar' }, buttons.before, buttons.after, where, buttons.close),
    title,
    content,
  );
  let [current, list]: [number, readonly number[]] = [-1, []];

  const show = async (question: number): Promise<void> => {
    current = question;
    const at = list.indexOf(question);
    where.textContent = at === -1 ? 'not among those found' : `${showCount(at + 1)} of ${showCount(list.length)} found`;
    buttons.before.disabled = at <= 0;
    buttons.after.disabled = at === -1 || at === list.length - 1;
    title.replaceChildren(longData(index.questions.text[question] ?? (index.questions.id[question] as string)));
    events.opened(question);
    const parts = await detailOf(index, question);
    // Another question may have been opened while this one was unpacked.
    if (current !== question) return;
    if (parts.detail.text !== null) title.replaceChildren(longData(parts.detail.text));
    content.replaceChildren(...questionParts(index, question, parts));
    dialog.scrollTop = 0;
  };
  const step = (by: number): void => {
    const next = list[list.indexOf(current) + by];
    if (list.includes(current) && next !== undefined) void show(next).then(() => title.focus());
  };
  buttons.before.addEventListener('click', () => step(-1));
  buttons.after.addEventListener('click', () => step(1));
  buttons.close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => events.closed(current));
  dialog.addEventListener('keydown', (event) => {
    // What scrolls sideways keeps its arrows.
    if (event.altKey || event.ctrlKey || event.metaKey || (event.target as HTMLElement).closest('.scroll')) return;
    if (event.key === 'ArrowLeft') step(-1);
    if (event.key === 'ArrowRight') step(1);
  });
  return {
    element: dialog,
    open: async (question, among) => {
      list = among;
      if (!dialog.open) dialog.showModal();
      await show(question);
      title.focus();
    },
  };
}

/** Opens one part of every card; closes it where all are open. */
function opener(part: string, words: string): HTMLButtonElement {
  const made = button(words);
  made.addEventListener('click', () => {
    const parts = [
      ...(made.closest('dialog')?.querySelectorAll<HTMLDetailsElement>(`details[data-part="${part}"]`) ?? []),
    ];
    const isOpen = parts.every(({ open }) => open);
    for (const details of parts) details.open = !isOpen;
  });
  return made;
}

function button(words: string): HTMLButtonElement {
  return element('button', { type: 'button' }, words);
}

interface DetailParts {
  readonly detail: QuestionDetail;
  readonly texts: FixtureTexts;
}

async function detailOf({ questions }: QuestionIndex, question: number): Promise<DetailParts> {
  const [block, texts] = await Promise.all([
    unpackKept<DetailBlock>(`details-${questions.block[question]}`),
    unpackKept<FixtureTexts>(`texts-${questions.fixture[question]}`),
  ]);
  return { detail: block.questions[question] as QuestionDetail, texts };
}

function questionParts(index: QuestionIndex, question: number, { detail, texts }: DetailParts): readonly Node[] {
  const { questions } = index;
  const missing = index.missing[questions.fixture[question] as number] ?? null;
  const isRepeated = new Set(detail.answers.map(({ arm }) => arm)).size < detail.answers.length;
  const evidence = new Set((detail.evidence ?? []).map((turn) => texts.turns[turn]?.id as string));
  return [
    ...(missing === null
      ? []
      : [
          element(
            'p',
            { class: 'caution' },
            'The fixture is not shown: ',
            data(missing),
            '. What follows is what the run folder itself holds.',
          ),
        ]),
    element(
      'p',
      { class: 'expected' },
      element('span', { class: 'muted' }, 'Expected '),
      expectedOf(detail, questions.answerable[question] === 1),
    ),
    element('p', { class: 'note' }, ...placeOf(index, question, detail)),
    ...(questions.in_sample?.[question] === 1
      ? [element('p', {}, inSampleTag('in-sample: a lesson was learnt from it'))]
      : []),
    ...evidencePart(detail, texts),
    element(
      'p',
      { class: 'openers' },
      'Of every arm, open ',
      opener('retrieved', 'what it retrieved'),
      ' ',
      opener('context', 'its context'),
    ),
    element(
      'div',
      { class: 'answers' },
      ...detail.answers.map((answer) => answerCard({ index, texts, evidence, isRepeated }, answer)),
    ),
  ];
}

function expectedOf({ expected }: QuestionDetail, answerable: boolean): Child {
  if (!answerable) return 'an abstention: the history does not hold an answer';
  if (expected === null) return 'is not at hand';
  return longData(expected.join(' / '));
}

/** Which question it is, when it was asked, and about whom. */
function placeOf(
  { questions, fixtures, categories }: QuestionIndex,
  question: number,
  { asked_at, subjects }: QuestionDetail,
): Child[] {
  return [
    data(questions.id[question] as string),
    ' · fixture ',
    data(fixtures[questions.fixture[question] as number] as string),
    ' · ',
    data(categories[questions.category[question] as number] as string),
    asked_at === null ? null : ` · asked at ${minuteWords(asked_at)}`,
    subjects.length === 0 ? null : ' · about ',
    subjects.length === 0 ? null : data(subjects.join(', ')),
  ];
}

function evidencePart({ evidence }: QuestionDetail, texts: FixtureTexts): readonly Node[] {
  if (evidence === null || evidence.length === 0) return [];
  return [
    element('h3', {}, 'Evidence'),
    element('ul', { class: 'turns' }, ...evidence.map((turn) => element('li', {}, turnLine(texts.turns[turn])))),
  ];
}
