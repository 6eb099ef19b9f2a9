import { showCount } from '../../number-text.js';
import { visibleText } from '../visible-text.js';

export type Child = Node | string | null;

type Attributes = Readonly<Record<string, string | number | boolean | null>>;

/** An element. Strings among its children are text, never markup, and hide nothing (RS-4); an attribute that is false or null is left out. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== null) made.setAttribute(name, value === true ? '' : String(value));
  }
  made.append(
    ...children.flatMap((child) => (child === null ? [] : [typeof child === 'string' ? visibleText(child) : child])),
  );
  return made;
}

/** Text of a history, a model or a file: isolated, and what hides in it made visible. */
export function data(text: string): HTMLElement {
  return element('bdi', { class: 'data' }, visibleText(text));
}

/** What is shown of a long text before it is asked for whole. */
const SHOWN_CHARACTERS = 1200;

/** The same, cut where it is long, with a button that shows the rest. */
export function longData(text: string): HTMLElement {
  if (text.length <= SHOWN_CHARACTERS * 1.25) return data(text);
  const shown = data(`${text.slice(0, SHOWN_CHARACTERS)}…`);
  const button = element('button', { type: 'button', class: 'more' }, `Show all ${showCount(text.length)} characters`);
  button.addEventListener('click', () => {
    shown.textContent = visibleText(text);
    button.remove();
  });
  return element('span', {}, shown, button);
}

/**
 * What is only built when it is opened.
 *
 * @param part what all of its kind are opened by.
 */
export function lazyDetails(
  summary: string,
  build: () => readonly Child[],
  part: string | null = null,
): HTMLDetailsElement {
  const details = element('details', { 'data-part': part }, element('summary', {}, summary));
  details.addEventListener('toggle', () => details.append(...build().filter((child) => child !== null)), {
    once: true,
  });
  return details;
}

/** `1 answer`, `1,200 answers`. */
export function countOf(count: number, noun: string): string {
  return `${showCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
