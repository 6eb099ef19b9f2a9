import { counted } from '../../core/counted.js';
import type { Comparison, DatasetComparison, Verdict } from '../comparison/comparison.js';
import {
  contrastName,
  estimateOf,
  factorsTold,
  factorText,
  gateText,
  intervalText,
  noiseText,
  OUTCOME_WORDS,
  unpairedText,
  VERDICT_WORDS,
} from '../comparison/verdicts/contrast-text.js';
import { showConfidence, showDifference, showScore } from '../number-text.js';
import { markdownTable, markdownText } from './markdown.js';

/** A comparison as GitHub-flavoured Markdown, for a job's summary (RP-4). */
export function comparisonMarkdown(comparison: Comparison): string {
  const { base, head, confounded, gates, datasets, notes } = comparison;
  const side = (name: string, run: string, status: string): string =>
    `- ${name}: ${markdownText(run)} (${markdownText(status)})`;
  const parts = [
    '## Comparison',
    [
      side('base', base.run, base.status),
      side('head', head.run, head.status),
      ...factorsTold(comparison).map((factor) => `- differs: ${markdownText(factorText(factor))}`),
      ...(confounded ? ['- **confounded**: a difference may come from any of what differs'] : []),
    ].join('\n'),
    markdownText(gateText(comparison)),
    gates.length === 0
      ? ''
      : markdownTable(
          ['gate', 'dataset', 'arms', 'outcome', 'why'],
          gates.map((gate) => [
            gate.condition,
            gate.dataset,
            contrastName(gate),
            OUTCOME_WORDS[gate.outcome],
            gate.sentence,
          ]),
        ),
    ...datasets.map((dataset) => datasetMarkdown(dataset, comparison)),
    notes.map((note) => `- ${markdownText(note)}`).join('\n'),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function datasetMarkdown(
  { dataset, conversations, contrasts, noise_floors }: DatasetComparison,
  { alpha }: Comparison,
): string {
  const title = `### ${markdownText(dataset)}: ${counted(conversations.length, 'conversation')}`;
  const table = markdownTable(
    [
      'scorer',
      'head - base',
      'pairs',
      'base',
      'head',
      'difference',
      `${showConfidence(alpha)}, new conversations`,
      'these conversations',
      'verdict',
    ],
    contrasts
      .filter((contrast) => contrast.pairs > 0)
      .map((contrast) => [
        contrast.scorer,
        contrastName(contrast),
        String(contrast.pairs),
        showScore(contrast.base_mean),
        showScore(contrast.head_mean),
        showDifference(estimateOf(contrast.new_conversations)),
        intervalText(contrast.new_conversations),
        intervalText(contrast.these_conversations),
        `${VERDICT_WORDS[contrast.verdict.kind]}${contrast.planned ? '' : ', exploratory'}`,
      ]),
  );
  const planned = contrasts.filter((contrast) => contrast.planned);
  return [
    title,
    table,
    markdownText(unpairedText(contrasts)),
    ...noise_floors.map((floor) => markdownText(noiseText(floor))),
    planned.map(({ verdict }) => verdictMarkdown(verdict)).join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** The sentence, and what it rests on as a list beneath it. */
function verdictMarkdown({ sentence, basis }: Verdict): string {
  return [`- **${markdownText(sentence)}**`, ...basis.map((rest) => `  - ${markdownText(rest)}`)].join('\n');
}
