import { terminalLine } from '../../core/terminal-text.js';
import type { ArmResult, FormationResult, RunResult } from '../../experiment/experiment.js';
import { showScore } from '../number-text.js';
import { plainTable } from './table.js';

/** How much scores change from bank to bank (FB-18); nothing where each fixture has one. */
export function showBetweenBanks(arms: readonly ArmResult[]): string {
  const shown = arms.flatMap(({ arm, between_banks }) => (between_banks === null ? [] : [{ arm, ...between_banks }]));
  const [first] = shown;
  if (first === undefined) return '';
  const banks = first.means.map((_, index) => `bank ${index + 1}`);
  const table = plainTable(
    [`${first.scorer} between banks`, ...banks, 'component', 'residual', 'questions'],
    shown.map(({ arm, means, component, residual_mean_square, questions }) => [
      arm,
      ...means.map(showScore),
      showVariance(component),
      showVariance(residual_mean_square),
      String(questions),
    ]),
    [...banks.keys(), banks.length, banks.length + 1, banks.length + 2].map((column) => column + 1),
  );
  return `${table}\nComponent: the variance between banks of one identity, questions and the residual taken out; its square root is in units of the score.`;
}

/** What must be known of the banks to read any score: that there is one, or that several hold one state. */
export function bankNotes({ replicates, formation }: RunResult): string[] {
  if (replicates === 1)
    return [
      'Every score is given this bank, one a fixture: another recording of the same formation might score otherwise.',
    ];
  return sameStates(formation).map(({ fixture, count }) =>
    terminalLine(`${fixture}: its ${count} banks hold one state: formation answered alike each time.`, 300),
  );
}

function sameStates(formation: readonly FormationResult[]): { readonly fixture: string; readonly count: number }[] {
  const states = new Map<string, FormationResult['state'][]>();
  for (const { fixture, bank, state } of formation)
    if (bank !== null) states.set(fixture, [...(states.get(fixture) ?? []), state]);
  return [...states].flatMap(([fixture, own]) =>
    own.length > 1 && new Set(own).size === 1 ? [{ fixture, count: own.length }] : [],
  );
}

function showVariance(variance: number | null): string {
  return variance === null ? '–' : variance.toFixed(5);
}
