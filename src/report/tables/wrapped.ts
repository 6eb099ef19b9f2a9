import { terminalText } from '../../core/terminal-text.js';

/** How wide a terminal is taken to be. */
export const COLUMNS = 80;

/** A sentence in lines of at most 80 columns, those after the first indented; hostile text escaped. A word that is longer has a line of its own. */
export function wrapped(text: string, first = '', next = ''): string {
  const lines: string[] = [];
  let line = first;
  for (const word of terminalText(text).split(/\s+/)) {
    const isEmpty = line === first || line === next;
    if (!isEmpty && line.length + 1 + word.length > COLUMNS) {
      lines.push(line);
      line = `${next}${word}`;
    } else line = isEmpty ? `${line}${word}` : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}
