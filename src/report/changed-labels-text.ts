import { terminalLine } from '../core/terminal-text.js';
import type { RunResult } from '../experiment/experiment.js';

/**
 * That answers are scored by labels which were changed after them (MX-8), in a sentence that is safe to print; none where no label was.
 *
 * @param whose answers, where there are those of two runs.
 */
export function changedLabelsSentences(changed: RunResult['changed_labels'], whose = ''): string[] {
  if (changed.length === 0) return [];
  const names = changed.map(({ fixture }) => fixture);
  const shown = names.length > 5 ? [...names.slice(0, 4), `${names.length - 4} more`] : names;
  return [
    `Labels of ${terminalLine(shown.join(', '), 300)} were changed after the answers${whose}, which were scored again by them: no plan of before covers that, and every difference is exploratory.`,
  ];
}

/** How a plan is told of: by changed labels it is no longer what was planned. */
export function plannedWords(areLabelsChanged: boolean): string {
  return `Planned before the run${areLabelsChanged ? ', by labels that were changed since' : ''}`;
}
