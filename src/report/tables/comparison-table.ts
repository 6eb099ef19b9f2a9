import { counted } from '../../core/counted.js';
import { terminalText } from '../../core/terminal-text.js';
import type { Comparison, ContrastResult, DatasetComparison } from '../comparison/comparison.js';
import {
  contrastName,
  estimateOf,
  factorText,
  gateText,
  intervalText,
  signedText,
} from '../comparison/contrast-text.js';
import { plainTable, showScore } from './table.js';
import { wrapped } from './wrapped.js';

/** How many factors are shown one by one. */
const FACTORS_SHOWN = 12;

/** A comparison as people read it (RP-2, RP-3, RP-4): what differs, each dataset's differences with both intervals, verdicts in words, gates. */
export function showComparison(comparison: Comparison): string {
  const { datasets, notes } = comparison;
  const parts = [
    showSides(comparison),
    ...datasets.flatMap((dataset) => showDataset(dataset, comparison)),
    showGates(comparison),
    notes.map((note) => wrapped(note, '- ', '  ')).join('\n'),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function showSides({ base, head, kind, factors, confounded }: Comparison): string {
  const shown = factors.slice(0, FACTORS_SHOWN).map((factor) => wrapped(factorText(factor), 'differs  ', '         '));
  const more = factors.length - shown.length;
  return [
    `base     ${terminalText(base.run)} (${base.status})`,
    `head     ${terminalText(head.run)} (${head.status})${kind === 'within-run' ? ', the same run' : ''}`,
    ...shown,
    ...(more > 0 ? [`         and ${counted(more, 'factor')} more: --json has all`] : []),
    ...(confounded
      ? [wrapped('CONFOUNDED: more differs than one treatment; a difference may come from any of it.')]
      : []),
  ].join('\n');
}

function showDataset({ dataset, conversations, contrasts }: DatasetComparison, comparison: Comparison): string[] {
  const scorers = [...new Set(contrasts.map(({ scorer }) => scorer))];
  const title = `${dataset}: ${counted(conversations.length, 'conversation')}${questions(conversations)}`;
  const planned = contrasts.filter((contrast) => contrast.planned);
  const told = planned.length > 0 ? planned : contrasts.filter(({ scorer }) => scorer === comparison.primary);
  return [
    wrapped(title),
    showContrasts(scorers, contrasts, comparison.alpha),
    ...(told.length === 0 ? [] : [told.map(({ verdict }) => wrapped(verdict.sentence, '- ', '  ')).join('\n')]),
    ...(contrasts.some((contrast) => !contrast.planned)
      ? ['(e) exploratory: not planned before the run; it suggests, and concludes nothing.']
      : []),
  ];
}

/** How many questions each conversation has: where one holds most, its difference is nearly all that is known. */
function questions(conversations: DatasetComparison['conversations']): string {
  const counts = conversations.map((conversation) => conversation.questions);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  if (counts.length === 0) return '';
  return least === most ? `, ${counted(most, 'question')} each` : `, ${least} to ${counted(most, 'question')} each`;
}

/** One table, so that all columns stand under each other: a line names each scorer, its contrasts follow. */
function showContrasts(scorers: readonly string[], contrasts: readonly ContrastResult[], alpha: number): string {
  const confidence = `${Number(((1 - alpha) * 100).toFixed(2))} %`;
  const lines = scorers.flatMap((scorer) => [
    [scorer, '', '', '', '', '', ''],
    ...contrasts
      .filter((contrast) => contrast.scorer === scorer)
      .map((contrast) => [
        // Cells are trimmed: a mark stands for the indent.
        `· ${contrastName(contrast)}${contrast.planned ? '' : ' (e)'}`,
        String(contrast.pairs),
        showScore(contrast.base_mean),
        showScore(contrast.head_mean),
        signedText(estimateOf(contrast.new_conversations)),
        intervalText(contrast.new_conversations),
        intervalText(contrast.these_conversations),
      ]),
  ]);
  return plainTable(['', 'n', 'base', 'head', 'diff', `new, ${confidence}`, 'these'], lines, [1, 2, 3, 4]);
}

function showGates(comparison: Comparison): string {
  if (comparison.gate === 'none') return '';
  return [wrapped(gateText(comparison)), ...comparison.gates.map(({ sentence }) => wrapped(sentence, '- ', '  '))].join(
    '\n',
  );
}
