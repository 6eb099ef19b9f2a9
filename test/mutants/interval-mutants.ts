import { type Mutant, mutantsOf } from './mutant.js';

const INTERVAL = ['src/experiment/summary/score-interval.test.ts'];

/** Intervals of an arm's scores (RP-3). */
export const intervalMutants: readonly Mutant[] = [
  ...mutantsOf('src/experiment/summary/score-interval.ts', INTERVAL, [
    ['datasets-pooled-in-an-interval', 'RP-3', 'map(datasetOf)).size > 1', 'map(datasetOf)).size > 9'],
    ['interval-cut-at-one', 'RP-3', 'hi: found.hi', 'hi: Math.min(1, found.hi)'],
    ['interval-of-another-alpha', 'RP-3', '    alpha,\n  );', '    alpha / 2,\n  );'],
  ]),
  ...mutantsOf('src/experiment/summary/score-detail.ts', INTERVAL, [
    ['interval-over-rows', 'RP-3', 'grouped(counted, ({ question }) => question)', 'counted.map((one) => [one])'],
  ]),
];
