import { sumOf } from './mean.js';

/** What inference by conversation needs of a paired difference. */
export interface Difference {
  readonly conversation: string;
  /** head - base, of one question. */
  readonly difference: number;
}

/** One conversation's differences. */
export interface ConversationSum {
  readonly conversation: string;
  readonly questions: number;
  readonly sum: number;
}

/** The differences by conversation, the cluster of all inference (RP-3), in the order of names by code units. */
export function conversationSums(differences: readonly Difference[]): ConversationSum[] {
  const groups = new Map<string, number[]>();
  for (const { conversation, difference } of differences) {
    const group = groups.get(conversation);
    if (group === undefined) groups.set(conversation, [difference]);
    else group.push(difference);
  }
  return [...groups]
    .map(([conversation, values]) => ({ conversation, questions: values.length, sum: sumOf(values) }))
    .sort((one, other) => (one.conversation < other.conversation ? -1 : 1));
}

/** What rounding may leave of differences that are equal: a millionth of a millionth of the largest. */
export function roundingOf(differences: readonly Difference[]): number {
  return differences.reduce((largest, { difference }) => Math.max(largest, Math.abs(difference)), 0) * 1e-12;
}
