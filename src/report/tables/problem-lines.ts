import { terminalLine, terminalText } from '../../core/terminal-text.js';
import type { RunResult } from '../../experiment/experiment.js';

/** What went wrong, for standard error. */
export function showProblems(result: Pick<RunResult, 'problems'>): string[] {
  return result.problems.map((problem) => {
    const where = [problem.fixture, problem.arm].filter((part) => part !== null).join(', ');
    const remedy = problem.remedy === null ? '' : `\n  remedy: ${problem.remedy}`;
    return terminalText(`${where}: ${problem.code}: ${terminalLine(problem.message, 600)}${remedy}`);
  });
}
