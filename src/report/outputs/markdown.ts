import { terminalLine } from '../../core/terminal-text.js';

/**
 * Text as GitHub-flavoured Markdown that shows itself: no markup, no HTML, no mention, no link, no cell's end, on one line (RS-4). What is markup only in
 * some place is escaped there alone, so that a log without Markdown can be read too.
 */
export function markdownText(text: string): string {
  return (
    terminalLine(text, 1000)
      .trimStart()
      .replace(/[\\`*[\]#|~$]/g, '\\$&')
      // Within a word it is no emphasis.
      .replace(/(?<![a-z0-9])_|_(?![a-z0-9])/gi, '\\_')
      // Of an address, or an emoji.
      .replace(/:(?=\S)/g, '\\:')
      .replace(/www\./gi, (start) => `${start.slice(0, -1)}\\.`)
      // A list's, a numbered list's, or what underlines a heading.
      .replace(/^[-+=]/, '\\$&')
      .replace(/^(\d+)(?=[.)](?:\s|$))/, '$1\\')
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
      .replace(/@/g, '&#64;')
  );
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
