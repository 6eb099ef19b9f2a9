import { counted } from '../core/counted.js';

/** With fewer conversations, an interval's own width is mostly chance: its error has three degrees of freedom at most. */
const FEW_CONVERSATIONS = 5;

/**
 * How far intervals for new conversations can be trusted (RP-3): a caution where one rests on few, else nothing.
 *
 * @param clusters the conversations of each interval.
 */
export function fewConversationsNotes(clusters: readonly number[]): string[] {
  const fewest = Math.min(...clusters);
  if (fewest >= FEW_CONVERSATIONS) return [];
  return [
    `With ${counted(fewest, 'conversation')} an interval's own width is mostly chance: a narrow one proves nothing.`,
  ];
}
