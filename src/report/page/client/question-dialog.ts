import type { DetailBlock, FixtureTexts, QuestionDetail, QuestionIndex } from '../questions/page-data.js';
import { answerCard } from './answer-card.js';
import { type Child, data, element, grouped, longData } from './dom.js';
import { turnLine } from './turn-line.js';
import { unpackKept } from './unpack.js';

/** One question, its arms side by side, over the page. */
export interface QuestionDialog {
  readonly element: HTMLDialogElement;
  /** @param among the questions that the list has found, to go from one to the next. */
  open(question: number, among: readonly number[]): Promise<void>;
  close(): void;
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
    where.textContent = at === -1 ? 'not among those found' : `${grouped(at + 1)} of ${grouped(list.length)} found`;
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
    close: () => dialog.close(),
  };
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
  const facts: [string, Child][] = [
    ['Question', data(questions.id[question] as string)],
    ['Fixture', data(index.fixtures[questions.fixture[question] as number] as string)],
    ['Category', data(index.categories[questions.category[question] as number] as string)],
    ['Asked at', detail.asked_at === null ? 'not at hand' : detail.asked_at.replace('T', ' ')],
    ['About', detail.subjects.length === 0 ? 'nobody by name' : data(detail.subjects.join(', '))],
    ['Expected', expectedOf(detail, questions.answerable[question] === 1)],
  ];
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
      'dl',
      { class: 'facts' },
      ...facts.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
    ),
    ...evidencePart(detail, texts),
    element(
      'div',
      { class: 'answers' },
      ...detail.answers.map((answer) => answerCard({ index, texts, evidence }, answer)),
    ),
  ];
}

function expectedOf({ expected }: QuestionDetail, answerable: boolean): Child {
  if (!answerable) return 'an abstention: the history does not hold an answer';
  if (expected === null) return 'not at hand';
  if (expected.length === 1) return longData(expected[0] as string);
  return element('ul', {}, ...expected.map((one) => element('li', {}, longData(one))));
}

function evidencePart({ evidence }: QuestionDetail, texts: FixtureTexts): readonly Node[] {
  if (evidence === null || evidence.length === 0) return [];
  return [
    element('h3', {}, 'Evidence'),
    element('ul', { class: 'turns' }, ...evidence.map((turn) => element('li', {}, turnLine(texts.turns[turn])))),
  ];
}
