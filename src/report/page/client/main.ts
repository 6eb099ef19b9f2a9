import { type Filters, NO_FILTERS, readAddress, writeAddress } from '../questions/address.js';
import type { QuestionIndex } from '../questions/page-data.js';
import { element } from './dom.js';
import { findQuestions, rowsByQuestion } from './filter.js';
import { filterForm } from './filter-form.js';
import { questionDialog } from './question-dialog.js';
import { questionList } from './question-list.js';
import { unpack } from './unpack.js';

/** The list of every question with its filters, and the details of the one that is chosen; where they stand is in the address. */
async function start(root: HTMLElement): Promise<void> {
  const index = await unpack<QuestionIndex>('questions-index');
  const by = rowsByQuestion(index);
  let filters: Filters = NO_FILTERS;
  let found = findQuestions(index, by, filters);

  // What the page itself writes into the address is no navigation.
  const write = (open: number | null): void => {
    const { fixture, id } = index.questions;
    const at =
      open === null
        ? null
        : { fixture: index.fixtures[fixture[open] as number] as string, question: id[open] as string };
    history.replaceState(null, '', writeAddress({ filters, open: at }));
  };
  const dialog = questionDialog(index, {
    opened: write,
    closed: (question) => {
      write(null);
      list.focus(question);
    },
  });
  const list = questionList(index, by, (question) => void dialog.open(question, found.questions));
  const apply = (chosen: Filters): void => {
    filters = chosen;
    found = findQuestions(index, by, filters);
    list.show(found);
  };
  const form = filterForm(index, () => {
    apply(form.read());
    write(null);
  });
  const follow = (): void => {
    const address = readAddress(location.hash);
    if (address === null) return;
    form.show(address.filters);
    apply(form.read());
    const { open } = address;
    if (open === null) {
      root.scrollIntoView();
      return;
    }
    const question = index.questions.id.findIndex(
      (id, at) => id === open.question && index.fixtures[index.questions.fixture[at] as number] === open.fixture,
    );
    if (question !== -1) void dialog.open(question, found.questions);
  };

  root.append(form.element, list.element, dialog.element);
  list.show(found);
  window.addEventListener('hashchange', follow);
  follow();
  root.dataset.ready = 'true';
}

const root = document.getElementById('question-browser');
if (root !== null) {
  start(root).catch((problem: unknown) => {
    root.append(
      element(
        'p',
        { class: 'caution', role: 'alert' },
        `The questions cannot be shown: ${problem instanceof Error ? problem.message : String(problem)}. A browser of 2023 or later is needed.`,
      ),
    );
  });
}
