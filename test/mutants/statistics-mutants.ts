import { type Mutant, mutantsOf } from './mutant.js';

const ROOM = 'src/report/statistics';
const DEGENERATE = [`${ROOM}/degenerate.test.ts`];
const REFERENCE = [`${ROOM}/reference.test.ts`];

/** Inference on paired differences (RP-3). */
export const statisticsMutants: readonly Mutant[] = [
  ...mutantsOf(
    `${ROOM}/paired-differences.ts`,
    [`${ROOM}/paired-differences.test.ts`],
    [
      [
        'repeats-pooled-over-replicates',
        'RP-3',
        'meanOf([...replicates.values()].map((repeats) => meanOf([...repeats.values()])))',
        'meanOf([...replicates.values()].flatMap((repeats) => [...repeats.values()]))',
      ],
      ['lost-row-scores-zero', 'RP-3 OB-4', 'if (score === null) continue;', ''],
      ['pairs-pool-conversations', 'RP-3', 'JSON.stringify([conversation, question])', 'question'],
      ['score-twice-taken', 'RP-3', 'if (repeats.has(repeat))', 'if (repeats.has(-repeat))'],
      ['score-of-nan-taken', 'RP-3', 'if (!Number.isFinite(score))', 'if (score === Number.POSITIVE_INFINITY)'],
    ],
  ),
  ...mutantsOf(`${ROOM}/new-conversations.ts`, REFERENCE, [
    ['cluster-degrees-by-question', 'RP-3', 'Math.sqrt(variance), g - 1, alpha', 'Math.sqrt(variance), n - 1, alpha'],
    ['no-few-clusters-factor', 'RP-3', '((g - 1) / g) * sumOf', 'sumOf'],
    ['jackknife-as-sandwich', 'RP-3', '(n - (conversations[index]?.questions as number))', '(n * (1 - 1 / g))'],
  ]),
  ...mutantsOf(`${ROOM}/new-conversations.ts`, DEGENERATE, [
    ['one-conversation-estimated', 'RP-3', 'if (g === 1)', 'if (g === 0)'],
    ['equal-only-to-the-bit', 'RP-3', 'Math.abs(difference - estimate) <= rounding', 'difference === estimate'],
    ['no-variance-is-certainty', 'RP-3', 'Math.abs(error) <= rounding * n', 'Math.abs(error) < 0'],
  ]),
  ...mutantsOf(`${ROOM}/sign-flip.ts`, DEGENERATE, [
    ['smallest-p-counts-all-units', 'RP-3', '2 / 2 ** differing.length', '2 / 2 ** units.length'],
    ['five-clusters-could-reach', 'RP-3', 'smallest_p <= alpha', 'p >= 0'],
    ['sums-equal-only-to-the-bit', 'RP-3', ' + unit, 0)) - rounding', ' + unit, 0))'],
    ['drawn-p-of-zero', 'RP-3', '(1 + drawnAsExtreme', '(0 + drawnAsExtreme'],
  ]),
  ...mutantsOf(
    `${ROOM}/student-t.ts`,
    [`${ROOM}/published-examples.test.ts`, ...REFERENCE],
    [['far-tails-are-rounding', 'RP-3', 'if (outside >= TAILS_SUMMED_BELOW)', 'if (outside >= 0)']],
  ),
  ...mutantsOf(`${ROOM}/cluster-bootstrap.ts`, REFERENCE, [
    ['bootstrap-of-one-tail', 'RP-3', 'lo: quantile(means, alpha / 2)', 'lo: quantile(means, alpha)'],
  ]),
  ...mutantsOf(`${ROOM}/holm.ts`, DEGENERATE, [
    ['untested-contrast-leaves-the-family', 'RP-3 MX-8', '(planned.length - index)', '(tested.length - index)'],
  ]),
  ...mutantsOf(`${ROOM}/holm.ts`, REFERENCE, [
    ['holm-as-bonferroni', 'RP-3', '(planned.length - index)', 'planned.length'],
  ]),
  ...mutantsOf(`${ROOM}/smallest-detectable-difference.ts`, REFERENCE, [
    ['power-ignored', 'RP-3', ' + criticalT(2 * (1 - power), degrees_of_freedom)', ''],
  ]),
  ...mutantsOf(`${ROOM}/mcnemar.ts`, DEGENERATE, [
    ['graded-scores-in-mcnemar', 'RP-3', "return { kind: 'not_binary' };", 'pairs.slice(0, 0);'],
  ]),
];
