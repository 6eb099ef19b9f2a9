import { counted } from '../../core/counted.js';
import { terminalLine, terminalText } from '../../core/terminal-text.js';
import type { RescoreResult } from '../../experiment/rescore-document.js';
import { type RunView, showRun } from './run-table.js';
import { plainTable } from './table.js';

/** What scoring again changed, and the run as it is now. */
export function showRescoring(rescored: RescoreResult, view: RunView = {}): string {
  const { rows, scorers, labels_changed, verdicts_asked, result } = rescored;
  const parts = [
    `rescore ${rescored.run}: ${counted(rows, 'row')} scored again, no reader asked`,
    plainTable(
      ['scorer', '', 'rows', 'changed'],
      scorers.map(({ scorer, is_new, rows: scored, changed }) => [
        terminalLine(scorer, 80),
        is_new ? 'new' : '',
        String(scored),
        is_new ? '–' : String(changed),
      ]),
    ),
    ...(verdicts_asked === 0
      ? []
      : [`${counted(verdicts_asked, 'verdict')} asked for; what was known was not asked again`]),
    ...(labels_changed.length === 0 ? [] : [`scored by other labels than before: ${labels_changed.join(', ')}`]),
    ...(scorers.some(({ is_new }) => is_new)
      ? ['Added after the answers were known: no new scorer is part of the plan.']
      : []),
    showRun(result, view),
    `scored again in ${terminalText(rescored.rows_folder)}; the rows before are kept as they were`,
  ];
  return parts.join('\n\n');
}
