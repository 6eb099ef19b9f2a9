import type { JsonObject } from '../core/canonical-json.js';
import { differingPaths } from '../core/differing-paths.js';
import type { ResolvedMatrix } from './matrix.js';

/** What differs between two resolved matrices, as dotted names in a fixed order; arms by their names: `arms.bm25.retrieval.limit`. */
export function matrixDifferences(before: ResolvedMatrix, after: ResolvedMatrix): string[] {
  return differingPaths(byArm(before), byArm(after));
}

function byArm(matrix: ResolvedMatrix): JsonObject {
  const arms = Object.fromEntries(matrix.arms.map((arm) => [arm.name, arm]));
  return { ...matrix, arms } as unknown as JsonObject;
}
