import type { Strategy } from '../memory/memory.js';
import type { AuthoredArm } from './arm-schema.js';
import type { Report } from './check-modes.js';

const WITHOUT_QUERY: ReadonlyMap<Strategy, string> = new Map([
  ['none', 'it reads nothing'],
  ['full-history', 'it shows everything'],
  ['evidence', 'it is handed what it shows'],
  ['recency', 'it ranks by time'],
  ['file', "it is another system's, which had the question alone"],
]);

/** Whether what a strategy finds depends on a query, so that a reader can search with its own (RT-8). */
export function takesQuery(strategy: Strategy): boolean {
  return !WITHOUT_QUERY.has(strategy);
}

/** Refuses a reader's own searches where they would all find the same (RT-8). */
export function checkRecall(arm: AuthoredArm, index: number, report: Report): void {
  const { strategy } = arm.retrieval;
  const why = WITHOUT_QUERY.get(strategy);
  if (arm.recall === 'automatic' || why === undefined) return;
  report(
    ['arms', index, 'recall'],
    'RECALL_WITHOUT_QUERY',
    `the arm ${arm.name} is ${strategy}, which takes no query of its reader: ${why}`,
    'use `bm25`, `full-text`, `semantic`, `hybrid` or a module, or leave `recall` out',
  );
}
