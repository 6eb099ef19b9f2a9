import { CAUSE_WORDS } from '../../figures/cause-words.js';
import type { RowState } from '../questions/page-data.js';
import type { RowResult } from './filter.js';

/** Where a wrong answer was lost; a cause that this version does not know, in its own words. */
export function causeWords(cause: string): string {
  return CAUSE_WORDS[cause as keyof typeof CAUSE_WORDS] ?? cause;
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

/** A moment as it was said, to the minute. */
export function minuteWords(instant: string): string {
  return instant.slice(0, 16).replace('T', ' ');
}
