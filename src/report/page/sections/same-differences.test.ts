import { expect, it } from 'vitest';
import type { ContrastResult } from '../../comparison/comparison.js';
import { sameDifferences } from './same-differences.js';

const contrast = (scorer: string, head_arm: string, hi: number) =>
  ({ scorer, head_arm, base_arm: 'bm25', pairs: 3, these_conversations: { hi } }) as unknown as ContrastResult;

it('RP-3 scores that say the same of every pair share a table, and one that differs in anything shown has its own', () => {
  const contrasts = [
    contrast('coverage', 'semantic', 0.2),
    contrast('coverage', 'hybrid', 0.3),
    contrast('contains', 'semantic', 0.2),
    contrast('contains', 'hybrid', 0.31),
    contrast('recall', 'semantic', 0.2),
    contrast('recall', 'hybrid', 0.3),
  ];
  expect(sameDifferences(contrasts)).toEqual([['coverage', 'recall'], ['contains']]);
  expect(sameDifferences([])).toEqual([]);
});
