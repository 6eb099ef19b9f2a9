import { terminalLine } from '../../core/terminal-text.js';

/** Text as GitHub-flavoured Markdown that shows itself: no markup, no HTML, no mention, no cell's end, on one line (RS-4). */
export function markdownText(text: string): string {
  return terminalLine(text, 1000)
    .replace(/[\\`*_{}[\]()#+\-!|~$:.]/g, (character) => `\\${character}`)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/@/g, '&#64;');
}

/** A table; every cell is text of any kind. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(head.map(markdownText)),
    line(head.map(() => '---')),
    ...rows.map((row) => line(row.map(markdownText))),
  ].join('\n');
}
