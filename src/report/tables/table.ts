import Table from 'cli-table3';
import { terminalLine } from '../../core/terminal-text.js';

/** A plain table for a terminal: no colours, no boxes, hostile text escaped. Columns but the first are aligned right where `numeric`. */
export function plainTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  numeric: readonly number[] = [],
): string {
  const table = new Table({
    head: [...head],
    chars: {
      top: '',
      'top-mid': '',
      'top-left': '',
      'top-right': '',
      bottom: '',
      'bottom-mid': '',
      'bottom-left': '',
      'bottom-right': '',
      left: '',
      'left-mid': '',
      mid: '',
      'mid-mid': '',
      right: '',
      'right-mid': '',
      middle: '  ',
    },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colAligns: head.map((_, index) => (numeric.includes(index) ? 'right' : 'left')),
  });
  for (const row of rows) table.push(row.map((cell) => terminalLine(cell, 120)));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
