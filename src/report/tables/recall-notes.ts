import { terminalLine } from '../../core/terminal-text.js';
import type { ArmResult } from '../../experiment/experiment.js';

/** Of each arm whose reader searches itself, how often it did (RT-8): one line for all. */
export function recallNotes(arms: readonly ArmResult[]): string[] {
  const deliberate = arms.filter(({ recall }) => recall === 'deliberate');
  if (deliberate.length === 0) return [];
  const counts = deliberate.map(({ arm, searches, questions }) => `${arm} ${searches} for ${questions} questions`);
  return [terminalLine(`Readers that search themselves made so many searches: ${counts.join(', ')}.`, 600)];
}
