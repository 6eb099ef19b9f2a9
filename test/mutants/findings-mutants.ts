import { type Mutant, mutantsOf } from './mutant.js';

const FIGURES = ['src/report/figures/run-figures.test.ts'];
const BEST = ['src/report/comparison/verdicts/best-verdict.test.ts'];
const VERDICT = ['src/report/comparison/verdicts/run-verdict.test.ts'];
const NUMBERS = ['src/report/page/sections/page-numbers.test.ts'];
const SECTIONS = ['src/report/page/sections/sections.test.tsx'];

/** What a report finds: figures of rows, which arm is best, what forbids a conclusion, how each is shown (RP-3, RP-5). */
export const findingsMutants: readonly Mutant[] = [
  ...mutantsOf('src/report/figures/question-means.ts', FIGURES, [
    ['means-over-rows', 'FB-18', 'meanOf([...own.values()].map(meanOf))', 'meanOf([...own.values()].flat())'],
    ['questions-of-two-conversations-are-one', 'RP-3', '    this.#open.clear();\n', ''],
  ]),
  ...mutantsOf('src/report/figures/fate.ts', FIGURES, [
    ['lost-rows-are-wrong', 'OB-4', "return 'lost';", "return 'untold';"],
    ['missing-rows-uncounted', 'OB-4', 'Math.max(0, expected - rows)', '0'],
  ]),
  ...mutantsOf('src/report/figures/evidence-curve.ts', FIGURES, [
    ['evidence-found-twice', 'OB-6', 'seen.has(turn) || ', ''],
    ['tokens-of-one-item', 'RT-4', 'tokens += item.tokens ?? 0;', 'tokens = item.tokens ?? 0;'],
    ['evidence-over-rows', 'RP-3', 'own.get(replicate)', 'own.get(1)'],
  ]),
  ...mutantsOf('src/report/figures/arm-figures.ts', FIGURES, [
    ['failed-rows-find-evidence', 'OB-4', "fate === 'failed' ? [] : row.retrieved", 'row.retrieved'],
    ['lost-rows-find-nothing', 'OB-4', " || fate === 'lost'", ''],
    ['in-sample-questions-paired', 'LE-6', '!settings.isInSample(fixture, question)', 'question !== fixture'],
  ]),
  ...mutantsOf('src/report/page/sections/arms-section.tsx', NUMBERS, [
    [
      'page-shows-one-interval-twice',
      'RP-3',
      'meanInterval(arm.these_conversations)',
      'meanInterval(arm.new_conversations)',
    ],
  ]),
  ...mutantsOf('src/report/page/sections/differences-section.tsx', NUMBERS, [
    [
      'page-shows-one-difference-twice',
      'RP-3',
      'differenceInterval(contrast.these_conversations)',
      'differenceInterval(fresh)',
    ],
  ]),
  ...mutantsOf('src/report/page/sections/recall-section.tsx', NUMBERS, [
    ['page-recall-at-the-next-k', 'RT-4', 'evidence.by_rank[k - 1]', 'evidence.by_rank[k]'],
  ]),
  ...mutantsOf('src/report/page/sections/abstention-section.tsx', NUMBERS, [
    [
      'page-abstentions-of-all',
      'OB-6',
      'showShare(answerable.abstained, answerable.rows)',
      'showShare(answerable.abstained, unanswerable.rows)',
    ],
  ]),
  ...mutantsOf('src/report/comparison/verdicts/best-of-arms.ts', BEST, [
    ['best-by-its-own-pairs-alone', 'RP-3', 'adjusted[index]?.adjusted_p', 'tests[index]?.test.p'],
    ['best-is-the-last', 'RP-5', 'other.mean - one.mean', 'one.mean - other.mean'],
    ['rival-the-wrong-way-round', 'RP-3', 'isHead ? turned(headLess) : headLess', 'headLess'],
  ]),
  ...mutantsOf('src/report/comparison/verdicts/best-verdict.ts', BEST, [
    ['best-although-failures-disagree', 'OB-4', 'without !== null && disagree(found, without)', 'without === null'],
    ['few-conversations-unsaid', 'RP-3', 'behind > 0 && smallest > alpha', 'behind < 0'],
  ]),
  ...mutantsOf('src/report/comparison/ranked-arms.ts', VERDICT, [
    ['report-ranks-references', 'RT-1', 'return reference || aa_of', 'return aa_of'],
    ['report-ranks-twins', 'RP-8', 'return reference || aa_of !== null;', 'return reference;'],
    ['report-ranks-degraded', 'RP-2', '!arm.degraded && ', ''],
    ['report-ranks-unpaired', 'FB-16', "arm.parity !== 'unpaired' && ", ''],
    ['report-ranks-the-unasked', 'OB-4', ' && isWhollyAsked(arm)', ''],
  ]),
  ...mutantsOf('src/report/comparison/verdicts/cost-sentences.ts', VERDICT, [
    ['unpriced-is-nothing', 'OB-2', 'own.attributed_nano_usd === null', 'own.attributed_nano_usd === -1'],
  ]),
  ...mutantsOf('src/report/page/by-dataset.tsx', SECTIONS, [
    ['datasets-without-names', 'RP-3', 'datasets.length === 1 ? null', 'datasets.length > 0 ? null'],
  ]),
  ...mutantsOf('src/report/page/arm-order.ts', SECTIONS, [
    [
      'references-above-the-rule',
      'RT-1',
      'return arms.findIndex(({ arm }) => !ranked.has(arm));',
      'return arms.findIndex(({ arm }) => ranked.has(arm));',
    ],
  ]),
  ...mutantsOf(
    'src/report/page/charts/chart.ts',
    ['src/report/page/charts/chart.test.ts'],
    [
      ['charts-share-ids', 'RP-5', 'ids.get(id) ?? `${name}-${ids.size + 1}`', 'ids.get(id) ?? id'],
      ['chart-words-are-markup', 'RS-4', '>${escaped(description)}</desc>', '>${description}</desc>'],
    ],
  ),
];
