import { counted } from '../../core/counted.js';
import { terminalText } from '../../core/terminal-text.js';
import type { Comparison, ContrastResult, DatasetComparison, Verdict } from '../comparison/comparison.js';
import {
  contrastName,
  estimateOf,
  factorsTold,
  factorText,
  gateText,
  intervalText,
  noiseText,
  unpairedText,
} from '../comparison/verdicts/contrast-text.js';
import { showConfidence, showDifference, showScore } from '../number-text.js';
import { plainTable } from './table.js';
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

function showSides(comparison: Comparison): string {
  const { base, head, kind, confounded } = comparison;
  const factors = factorsTold(comparison);
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

function showDataset(
  { dataset, conversations, contrasts, noise_floors }: DatasetComparison,
  comparison: Comparison,
): string[] {
  const size = `${counted(conversations.length, 'conversation')}${questions(conversations)}`;
  const unpaired = unpairedText(contrasts);
  const planned = contrasts.filter((contrast) => contrast.planned);
  const primary = contrasts.filter(({ scorer }) => scorer === comparison.primary);
  const told = [planned, primary, contrasts].find((some) => some.length > 0) ?? [];
  return [
    `${wrapped(dataset, 'dataset  ', '         ')}\n         ${size}`,
    showContrasts(
      contrasts.filter(({ pairs }) => pairs > 0),
      comparison.alpha,
    ),
    ...(unpaired === '' ? [] : [wrapped(unpaired)]),
    ...noise_floors.map((floor) => wrapped(noiseText(floor))),
    ...(told.length === 0 ? [] : [told.map(({ verdict }) => showVerdict(verdict)).join('\n')]),
    ...(contrasts.some((contrast) => !contrast.planned)
      ? ['(e) exploratory: not planned before the run; it suggests, and concludes nothing.']
      : []),
  ];
}

/** The sentence, and what it rests on beneath it. */
function showVerdict({ sentence, basis }: Verdict): string {
  const told = wrapped(sentence, '- ', '  ');
  return basis.length === 0 ? told : `${told}\n${wrapped(basis.join(' '), '    ', '    ')}`;
}

/** How many questions each conversation has: where one holds most, its difference is nearly all that is known. */
function questions(conversations: DatasetComparison['conversations']): string {
  const counts = conversations.map((conversation) => conversation.questions);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  if (counts.length === 0) return '';
  return least === most ? `, ${counted(most, 'question')} each` : `, ${least} to ${counted(most, 'question')} each`;
}

/** One table, so that all columns stand under each other: a line names each scorer, or several with the same figures; its contrasts follow. */
function showContrasts(contrasts: readonly ContrastResult[], alpha: number): string {
  if (contrasts.length === 0) return '';
  const bases = new Set(contrasts.map(({ base_arm }) => base_arm));
  const [base] = bases;
  // One base of all is named once: 80 columns have no room for it in each line.
  const isShared = bases.size === 1 && contrasts.some(({ head_arm }) => head_arm !== base);
  const scorers = [...new Set(contrasts.map(({ scorer }) => scorer))];
  const ordered = scorers.flatMap((name) => contrasts.filter(({ scorer }) => scorer === name));
  const [head, ...lines] = plainTable(
    [isShared ? `minus ${base}` : '', 'n', 'base', 'head', 'diff', `new, ${showConfidence(alpha)}`, 'these'],
    ordered.map((contrast) => [
      // Cells are trimmed: a mark stands for the indent.
      `· ${isShared ? contrast.head_arm : contrastName(contrast)}${contrast.planned ? '' : ' (e)'}`,
      String(contrast.pairs),
      showScore(contrast.base_mean),
      showScore(contrast.head_mean),
      showDifference(estimateOf(contrast.new_conversations)),
      intervalText(contrast.new_conversations),
      intervalText(contrast.these_conversations),
    ]),
    [1, 2, 3, 4],
  ).split('\n');
  // A scorer's long name in the table would widen its first column for every line.
  const alike = new Map<string, string[]>();
  for (const name of scorers) {
    const own = lines.filter((_, index) => ordered[index]?.scorer === name).join('\n');
    alike.set(own, [...(alike.get(own) ?? []), name]);
  }
  const titled = [...alike].map(([own, names]) => `${wrapped(names.join(', '))}\n${own}`);
  return [head, ...titled].join('\n');
}

function showGates(comparison: Comparison): string {
  if (comparison.gate === 'none') return '';
  return [wrapped(gateText(comparison)), ...comparison.gates.map(({ sentence }) => wrapped(sentence, '- ', '  '))].join(
    '\n',
  );
}
