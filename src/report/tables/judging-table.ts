import type { JudgeResult, JudgingResult } from '../../experiment/experiment.js';
import { showNanoUsd } from '../money-text.js';
import { showConfidence, showInterval, showScore } from '../number-text.js';
import { plainTable } from './table.js';

/** What the judges say, how far they can be trusted, and where they disagree (OB-7). Empty where there is none. */
export function showJudging(judging: JudgingResult | null): string {
  if (judging === null) return '';
  return [
    judgesTable(judging),
    ...judging.judges.flatMap((judge) => (judge.labels === null ? [] : [armsTable(judge, judging.alpha)])),
    rankChanges(judging),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function judgesTable({ judges, alpha }: JudgingResult): string {
  return plainTable(
    ['judge', 'model', 'prompt', 'items', 'verdicts', 'agreement', 'unjudged rows', 'cost', 'labels', ...LABEL_COLUMNS],
    judges.map((judge) => [
      judge.judge,
      judge.model,
      judge.prompt.name,
      String(judge.items),
      String(judge.verdicts),
      judge.repeats === 1 ? 'one verdict' : showScore(judge.agreement),
      String(judge.arms.reduce((sum, { unjudged }) => sum + unjudged, 0)),
      showNanoUsd(judge.attributed_nano_usd),
      labelCount(judge),
      ...(judge.labels === null
        ? LABEL_COLUMNS.map(() => '–')
        : [judge.labels.sensitivity, judge.labels.specificity, judge.labels.kappa].map(
            ({ estimate, lo, hi, n }) => `${showScore(estimate)}${range(lo, hi)} n=${n}`,
          )),
    ]),
    [3, 4, 5, 6, 7],
  ).concat(judges.some(({ labels }) => labels !== null) ? `\n${confidence(alpha)} in brackets.` : '');
}

const LABEL_COLUMNS = ['sensitivity', 'specificity', 'kappa'] as const;

function labelCount({ labels }: JudgeResult): string {
  if (labels === null) return 'none: bias unknown';
  const { stale, tied, unjudged } = labels.left_out;
  const left = [
    ...(stale > 0 ? [`${stale} stale`] : []),
    ...(tied > 0 ? [`${tied} tied`] : []),
    ...(unjudged > 0 ? [`${unjudged} unjudged`] : []),
  ];
  return left.length === 0 ? String(labels.n) : `${labels.n} (left out: ${left.join(', ')})`;
}

function armsTable({ judge, arms }: JudgeResult, alpha: number): string {
  const reasons = [...new Set(arms.flatMap(({ corrected }) => corrected?.reason ?? []))];
  const clamped = arms.some(({ corrected }) => corrected?.clamped);
  const lines = [
    plainTable(
      [`by ${judge}`, 'judged', 'corrected for bias', confidence(alpha)],
      arms.map(({ arm, mean, corrected }) => [
        arm,
        showScore(mean),
        `${showScore(corrected?.estimate)}${corrected?.clamped ? ' ^' : ''}`,
        range(corrected?.lo ?? null, corrected?.hi ?? null).trim() || '–',
      ]),
      [1, 2],
    ),
    ...(clamped ? ['^ cut at 0 or 1.'] : []),
    ...reasons.map((reason) => `No correction: ${reason}.`),
    ...(arms.some(({ corrected }) => corrected?.estimate != null)
      ? [
          'The interval takes answers to be independent; within a conversation they are not, so it is rather too narrow.',
        ]
      : []),
  ];
  return lines.join('\n');
}

function rankChanges({ judges, rank_changes }: JudgingResult): string {
  if (judges.length < 2) return '';
  if (rank_changes.length === 0) return 'The judges put no two arms in opposite orders.';
  return rank_changes
    .map(
      ({ judges: [first, second], arms: [one, two] }) =>
        `Ranks change: ${first} has ${one} ahead of ${two}, ${second} the reverse.`,
    )
    .join('\n');
}

function range(lo: number | null, hi: number | null): string {
  return lo === null || hi === null ? '' : ` ${showInterval({ lo, hi })}`;
}

function confidence(alpha: number): string {
  return `${showConfidence(alpha)} intervals`;
}
