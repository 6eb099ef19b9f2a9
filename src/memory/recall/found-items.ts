import type { RecalledItem } from '../memory.js';

/**
 * What several searches found together (RT-8): each item once, in the order of its first appearance, ranked anew from 1. One that is found
 * again is what it was then: corrected, if it was corrected in between. Scores of different searches do not compare.
 */
export function mergeFound(before: readonly RecalledItem[], found: readonly RecalledItem[]): RecalledItem[] {
  const byId = new Map<string, RecalledItem>();
  for (const item of [...before, ...found]) byId.set(item.id, item);
  return [...byId.values()].map((item, index) => ({ ...item, rank: index + 1 }));
}
