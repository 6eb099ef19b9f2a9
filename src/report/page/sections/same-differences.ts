import type { ContrastResult } from '../../comparison/comparison.js';

/** Scorers in their order, in groups that say the same of every pair: one table is enough for them. */
export function sameDifferences(contrasts: readonly ContrastResult[]): (readonly [string, ...string[]])[] {
  const groups = new Map<string, [string, ...string[]]>();
  for (const scorer of new Set(contrasts.map((contrast) => contrast.scorer))) {
    const said = JSON.stringify(contrasts.filter((contrast) => contrast.scorer === scorer).map(figuresOf));
    const found = groups.get(said);
    if (found === undefined) groups.set(said, [scorer]);
    else found.push(scorer);
  }
  return [...groups.values()];
}

/** All that a table shows of a contrast. */
function figuresOf(contrast: ContrastResult) {
  const { head_arm, base_arm, planned, pairs, adjusted_p } = contrast;
  const { new_conversations, these_conversations, sign_flip, smallest_detectable } = contrast;
  return {
    head_arm,
    base_arm,
    planned,
    pairs,
    adjusted_p,
    new_conversations,
    these_conversations,
    sign_flip,
    smallest_detectable,
  };
}
