import { terminalText } from '../../core/terminal-text.js';
import type { RunResult } from '../../experiment/experiment.js';
import { armTable } from './arm-table.js';
import { conclusion, type PlannedContrast } from './conclusion.js';
import { showCosts } from './cost-table.js';
import { showFormation } from './formation-table.js';
import { showInjection } from './injection-table.js';
import { showJudging } from './judging-table.js';
import { showAnswerable, showMisses } from './miss-table.js';
import { type Paint, PLAIN, painted } from './paint.js';
import { showBetweenBanks } from './replicates-table.js';
import { runNotes } from './run-notes.js';
import { showBudgets, showCategories, showScores } from './score-tables.js';
import { wrapped } from './wrapped.js';

/** How a run is shown. */
export interface RunView {
  /** Whether every score, bank, cost, category and cause is shown too. */
  readonly details?: boolean;
  /** The planned contrasts, compared; null where they could not be. */
  readonly contrasts?: readonly PlannedContrast[] | null;
  readonly paint?: Paint;
}

/**
 * A run's result as people read it (CL-1): a table of 80 columns, what must be known to read it with every denominator (OB-4), what may not be
 * concluded, and what to do next.
 */
export function showRun(result: RunResult, { details = false, contrasts = null, paint = PLAIN }: RunView = {}): string {
  const { primary } = result.analysis;
  const table = armTable(result, paint);
  const { not_concluded, next } = conclusion(result, contrasts);
  const parts = [
    `run ${result.run}: ${statusOf(result, paint)}`,
    table.text,
    showBudgets(result.arms),
    notesOf(result, table.has_cut_names, details),
    ...(details ? detailsOf(result) : []),
    showBetweenBanks(result.arms),
    showInjection(result, primary),
    showJudging(result.judging),
    [
      `written to ${terminalText(result.path)}`,
      painted(wrapped(not_concluded, '', '  '), paint.warn),
      // Unbroken: it is there to be pasted.
      paint.heading(next),
    ].join('\n'),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

const MORE =
  'more with --details, also of a finished run (run --resume RUN --details): every score, bank, cost, category and cause';

function statusOf({ status }: RunResult, paint: Paint): string {
  return status === 'complete' ? paint.good(status) : paint.bad(status);
}

function notesOf(result: RunResult, hasCutNames: boolean, details: boolean): string {
  const notes = [
    ...runNotes(result),
    ...(hasCutNames ? ['Names with … are cut: --json and the report have them whole.'] : []),
    ...(details ? [] : [MORE]),
  ];
  return notes.map((note) => wrapped(note, '- ', '  ')).join('\n');
}

function detailsOf({ formation, arms, analysis: { primary } }: RunResult): string[] {
  return [
    showFormation(formation),
    showScores(arms),
    showCosts(arms),
    showCategories(arms, primary),
    showAnswerable(arms, primary),
    showMisses(arms),
  ];
}
