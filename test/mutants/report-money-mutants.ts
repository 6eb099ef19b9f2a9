import { type Mutant, mutantsOf } from './mutant.js';

const FIGURES = 'src/report/figures';
const COSTS = [`${FIGURES}/costs.test.ts`];
const SECTIONS = ['src/report/page/sections/money-and-provenance.test.tsx'];

/** What the report says of money, and of what its numbers rest on. */
export const reportMoneyMutants: readonly Mutant[] = [
  ...mutantsOf(`${FIGURES}/cost-counts.ts`, COSTS, [
    [
      'unpriced-costs-nothing',
      'OB-2',
      'return sum === null || amount === null ? null : sum + BigInt(amount);',
      'return (sum ?? 0n) + BigInt(amount ?? 0);',
    ],
    ['failed-rows-cost-a-question', 'OB-2', "if (outcome.kind !== 'answered') return;", ''],
  ]),
  ...mutantsOf(`${FIGURES}/pareto-front.ts`, COSTS, [
    ['equal-arms-beat-each-other', 'RP-5', '(one.cost < other.cost || one.score > other.score)', 'one !== other'],
    [
      'front-by-cost-alone',
      'RP-5',
      'one.cost <= other.cost && one.score >= other.score && ',
      'one.cost <= other.cost && ',
    ],
  ]),
  ...mutantsOf(`${FIGURES}/pairing.ts`, COSTS, [
    ['pairing-saves-the-recording-too', 'RP-5', 'BigInt(reading.length - 1) * cost', 'BigInt(reading.length) * cost'],
    ['pairing-saves-for-arms-over-turns', 'RP-5', "unit === 'beliefs' && parity === 'equal'", "parity === 'equal'"],
    ['pairing-without-a-price-saves-a-sum', 'OB-2', ' && amounts.every((amount) => amount !== null)', ''],
  ]),
  ...mutantsOf(`${FIGURES}/spent-by-whom.ts`, COSTS, [
    [
      'live-formation-is-paid-twice',
      'LG-12',
      '(one.live_states === null ? one.actual_nano_usd : 0)',
      'one.actual_nano_usd',
    ],
  ]),
  ...mutantsOf('src/report/page/sections/cost-section.tsx', SECTIONS, [
    [
      'references-on-the-front',
      'RT-1',
      'paretoFront(points.filter(({ is_ranked }) => is_ranked))',
      'paretoFront(points)',
    ],
    [
      'arm-without-a-price-is-drawn',
      'OB-2',
      'return cost.a_question === null ? null : (cost.a_question * 1000) / 1e9;',
      'return ((cost.a_question ?? 0) * 1000) / 1e9;',
    ],
  ]),
  ...mutantsOf('src/report/page/digest.tsx', SECTIONS, [
    ['digests-are-shortened', 'RP-5', 'visibleText(digest)', 'visibleText(digest).slice(0, 19)'],
  ]),
];
