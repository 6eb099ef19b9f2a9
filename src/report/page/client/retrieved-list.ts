import { showCount } from '../../number-text.js';
import type { FixtureTexts, ItemText, RetrievedItem } from '../questions/page-data.js';
import { type Child, data, element, longData } from './dom.js';
import { turnLine } from './turn-line.js';
import { minuteWords } from './words.js';

/** So many are laid out at once: full-history retrieves everything. */
const SHOWN_ITEMS = 50;

/** What was retrieved, best first, each with the turns that it rests on, and whether the reader saw it. */
export function retrievedList(
  texts: FixtureTexts,
  evidence: ReadonlySet<string>,
  retrieved: readonly RetrievedItem[],
): HTMLElement {
  const list = element('ol', { class: 'retrieved' });
  const more = element('button', { type: 'button', class: 'more' });
  const lay = (from: number, to: number): void => {
    list.append(...retrieved.slice(from, to).map((one) => itemLine(texts, evidence, one)));
  };
  lay(0, SHOWN_ITEMS);
  if (retrieved.length <= SHOWN_ITEMS) return list;
  more.textContent = `Show all ${showCount(retrieved.length)}`;
  more.addEventListener('click', () => {
    lay(SHOWN_ITEMS, retrieved.length);
    more.remove();
  });
  return element('div', {}, list, more);
}

/** What one search found, best first. */
export function foundList(texts: FixtureTexts, evidence: ReadonlySet<string>, found: readonly number[]): HTMLElement {
  return retrievedList(
    texts,
    evidence,
    found.map((item, place) => [item, place + 1, null, null, null]),
  );
}

function itemLine(
  texts: FixtureTexts,
  evidence: ReadonlySet<string>,
  [place, rank, score, tokens, isIn]: RetrievedItem,
): HTMLLIElement {
  const item = texts.items[place] as ItemText;
  const sources = item.sources.map((turn) => texts.turns[turn]);
  const carries = sources.some((turn) => turn !== undefined && evidence.has(turn.id));
  const facts = [
    ...(score === null ? [] : [`score ${score}`]),
    ...(tokens === null ? [] : [`${tokens} tokens`]),
    ...(isIn === null ? [] : [isIn ? 'in the context' : 'left out of the context']),
  ];
  return element(
    'li',
    { value: rank, class: isIn === false ? 'out' : null },
    ...itemText(item),
    element(
      'span',
      { class: 'note' },
      ' ',
      item.kind === 'turn' ? null : data(item.id),
      item.kind === 'turn' || facts.length === 0 ? null : ', ',
      facts.join(', '),
      carries && item.kind !== 'turn' ? ' ' : null,
      carries && item.kind !== 'turn' ? element('strong', { class: 'tag' }, 'carries evidence') : null,
      item.superseded_by.length === 0 ? null : data(`; superseded by ${item.superseded_by.join(', ')}`),
    ),
    element(
      'ul',
      { class: 'turns' },
      ...sources.map((turn) => element('li', {}, turnLine(turn, turn !== undefined && evidence.has(turn.id)))),
    ),
  );
}

/** A turn's own text stands below, as its source. */
function itemText({ kind, text, subjects, at }: ItemText): Child[] {
  if (kind === 'unknown') return ['an item whose text is not in the run folder'];
  if (kind === 'turn') return [];
  const about = subjects.length === 0 ? '' : `(${subjects.join(', ')}) `;
  const when = at === null ? '' : `[${minuteWords(at)}] `;
  return [longData(`${when}${about}${text ?? ''}`)];
}
