import { element } from './dom.js';

/** Marks a question that a lesson of the run was learnt from (LE-6). */
export function inSampleTag(words = 'in-sample'): HTMLElement {
  return element('strong', { class: 'tag in-sample', title: 'a lesson was learnt from it' }, words);
}
