import type { VNode } from 'preact';
import { visibleText } from './visible-text.js';

/** Text that this program did not write, as text: a name, an answer, a message (RS-4). */
export function DataText({ text }: { readonly text: string }): VNode {
  return <bdi class="data">{visibleText(text)}</bdi>;
}
