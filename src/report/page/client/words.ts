import type { RowState } from '../questions/page-data.js';
import type { RowResult } from './filter.js';

const CAUSES: Readonly<Record<string, string>> = {
  'never-formed': 'never formed',
  'wrongly-superseded': 'wrongly superseded',
  'not-retrieved': 'not retrieved',
  'cut-from-context': 'cut from the context',
  misread: 'misread',
  untold: 'cause not told',
};

/** Where a wrong answer was lost. */
export function causeWords(cause: string): string {
  return CAUSES[cause] ?? cause;
}

const RESULTS: Readonly<Record<RowResult, string>> = { right: 'right', wrong: 'wrong', unscored: 'no score' };

export function resultWords(result: RowResult): string {
  return RESULTS[result];
}

const STATES: Readonly<Record<RowState, string>> = {
  answered: 'answered',
  abstained: 'abstained',
  failed: 'failed (its own doing)',
  lost: 'lost (not its own doing)',
};

export function stateWords(state: RowState): string {
  return STATES[state];
}

/** A score as it stands in the list: two places; 0 and 1 bare. */
export function scoreWords(score: number): string {
  return Number.isInteger(score) ? String(score) : score.toFixed(2);
}
