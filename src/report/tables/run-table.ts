import { counted } from '../../core/counted.js';
import { terminalLine, terminalText } from '../../core/terminal-text.js';
import type { ArmResult, LedgerResult, RecordResult, RunResult } from '../../experiment/experiment.js';
import { PARITY_SHOWS } from '../parity-words.js';
import { showFormation } from './formation-table.js';
import { inSampleNotes, showInjection } from './injection-table.js';
import { showJudging } from './judging-table.js';
import { lookupMark, lookupNotes, preparationNotes } from './lookup-notes.js';
import { showAnswerable, showMisses } from './miss-table.js';
import { showActual, showNanoUsd } from './money-text.js';
import { recallNotes } from './recall-notes.js';
import { bankNotes, showBetweenBanks } from './replicates-table.js';
import { plainTable, showScore } from './table.js';

/** A run's result as people read it: formation, arms, categories, costs, with every denominator. */
export function showRun(result: RunResult): string {
  const all = Object.keys(result.arms[0]?.scores ?? {});
  const budgets = all.filter((scorer) => scorer.endsWith('-tokens'));
  const scorers = all.filter((scorer) => !budgets.includes(scorer));
  const parts = [
    `run ${result.run}: ${result.status}`,
    showFormation(result.formation),
    showArms(result.arms, scorers),
    showBudgets(result.arms, budgets),
    showBetweenBanks(result.arms),
    showCosts(result.arms),
    ...footnotes(result),
    showCategories(result.arms, scorers[0]),
    showAnswerable(result.arms, scorers[0]),
    showMisses(result.arms),
    showInjection(result, scorers[0]),
    showJudging(result.judging),
    showMoney(result.ledger),
    `written to ${terminalText(result.path)}`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** A recording's result. */
export function showRecording(result: RecordResult): string {
  return [`record ${result.run}: ${result.status}`, showFormation(result.formation), showMoney(result.ledger)].join(
    '\n\n',
  );
}

/** What went wrong, for standard error. */
export function showProblems(result: Pick<RunResult, 'problems'>): string[] {
  return result.problems.map((problem) => {
    const where = [problem.fixture, problem.arm].filter((part) => part !== null).join(', ');
    const remedy = problem.remedy === null ? '' : `\n  remedy: ${problem.remedy}`;
    return terminalText(`${where}: ${problem.code}: ${terminalLine(problem.message, 600)}${remedy}`);
  });
}

function showArms(arms: readonly ArmResult[], scorers: readonly string[]): string {
  return plainTable(
    [
      'arm',
      'unit',
      'parity',
      ...scorers,
      'answered',
      'abstained',
      'failed',
      'lost',
      'tokens p50',
      'attributed',
      'actual',
    ],
    arms.map((arm) => [
      `${arm.arm}${arm.reference ? ' *' : ''}${lookupMark(arm)}`,
      arm.unit ?? '–',
      arm.parity,
      ...scorers.map((scorer) => showScore(arm.scores[scorer])),
      `${arm.answered}/${arm.questions}`,
      String(arm.abstained),
      String(arm.failed),
      String(arm.lost),
      arm.context_tokens.p50 === null ? '–' : String(arm.context_tokens.p50),
      showNanoUsd(arm.attributed_nano_usd),
      showActual(arm.actual_nano_usd, arm.uncertain_nano_usd),
    ]),
    [...scorers.map((_, index) => 3 + index), ...[0, 1, 2, 3, 4].map((offset) => 3 + scorers.length + offset)],
  );
}

/** Recall at token budgets, beside recall at k (RT-4). */
function showBudgets(arms: readonly ArmResult[], scorers: readonly string[]): string {
  const ranking = arms.filter((arm) => scorers.some((scorer) => arm.scores[scorer] !== null));
  if (ranking.length === 0) return '';
  if (ranking.every(({ scores }) => scorers.every((scorer) => scores[scorer] === scores.coverage))) {
    return `evidence recall within ${scorers.map(tokensOf).join(', ')} tokens equals coverage in every arm`;
  }
  return plainTable(
    ['evidence recall within', ...scorers.map((scorer) => `${tokensOf(scorer)} tokens`)],
    ranking.map((arm) => [arm.arm, ...scorers.map((scorer) => showScore(arm.scores[scorer]))]),
    scorers.map((_, index) => index + 1),
  );
}

function tokensOf(scorer: string): string {
  return scorer.replace(/^.*@(\d+)-tokens$/, '$1');
}

/** What each arm costs once and for each question, where it has a price (OB-2). */
function showCosts(arms: readonly ArmResult[]): string {
  const priced = arms.filter((arm) => arm.costs.fixed_nano_usd !== null);
  if (priced.length === 0) return '';
  return plainTable(
    ['attributed cost', 'fixed', 'a question', 'breaks even with full-history at'],
    priced.map(({ arm, costs }) => [
      arm,
      showNanoUsd(costs.fixed_nano_usd),
      showNanoUsd(costs.marginal_nano_usd),
      costs.break_even_questions === null ? '–' : counted(costs.break_even_questions, 'question'),
    ]),
    [1, 2, 3],
  );
}

function footnotes(result: RunResult): string[] {
  const { arms } = result;
  const lines: string[] = [];
  if (arms.some((arm) => arm.reference))
    lines.push(
      '* reference, not ranked: full-history has no limit of context; evidence is handed the ids of the evidence turns (oracle).',
    );
  lines.push(...lookupNotes(arms), ...preparationNotes(result), ...recallNotes(arms));
  lines.push(planned(result), ...bankNotes(result), ...formationDifferences(result), ...modelChanges(result));
  lines.push(...inSampleNotes(result));
  for (const arm of arms)
    if (arm.reason !== null) lines.push(terminalText(`${arm.arm}: ${arm.status}: ${terminalLine(arm.reason, 300)}`));
  const abstain = Object.entries(result.always_abstain).filter(([, score]) => score !== null);
  lines.push(
    `Always abstaining would score: ${abstain.map(([scorer, score]) => `${scorer} ${showScore(score)}`).join(', ')}.`,
  );
  lines.push(...contextWarning(arms), ...denominators(arms));
  lines.push(PARITY_SHOWS);
  if (arms.some((arm) => arm.parity === 'unpaired'))
    lines.push('Unpaired arms formed their own beliefs: their differences mix formation with retrieval.');
  return [lines.join('\n')];
}

/** What the analysis plan named before the run, and that the rest is exploratory (MX-8). */
function planned({ analysis: { primary, contrasts } }: RunResult): string {
  if (contrasts.length === 0)
    return terminalText(
      `Planned before the run: ${primary}, and no contrast: every difference between arms is exploratory.`,
    );
  const pairs = contrasts.map(([treatment, control]) => `${treatment} against ${control}`);
  return terminalText(
    `Planned before the run: ${primary}, ${pairs.join(', ')}. Every other score and every other pair of arms is exploratory.`,
  );
}

/** Where live formation gave its arms other beliefs (FB-16). */
function formationDifferences({ formation }: RunResult): string[] {
  return formation.flatMap(({ fixture, live_states }) =>
    (live_states ?? []).flatMap(({ arm, differs_from, difference }) =>
      difference === null
        ? []
        : [
            terminalLine(
              `${fixture}: ${arm} formed another state than ${differs_from}: first at ${difference.table} [${difference.record}], ${difference.field}`,
              600,
            ),
          ],
    ),
  );
}

/** Models that changed within the run (PR-4). */
function modelChanges({ model_changes }: RunResult): string[] {
  return model_changes.map(({ stage, requested, reported }) =>
    terminalLine(
      `The ${stage} model ${requested} reported several names within this run: ${reported.join(', ')}.`,
      600,
    ),
  );
}

/** Arms whose mean context differs by more than a tenth from the others' are flagged (RT-4). */
function contextWarning(arms: readonly ArmResult[]): string[] {
  const ranked = arms.filter(
    (arm) => !arm.reference && arm.context_tokens.mean !== null && arm.context_tokens.mean > 0,
  );
  const means = ranked.map((arm) => arm.context_tokens.mean as number).sort((a, b) => a - b);
  const median = means[Math.floor(means.length / 2)];
  if (median === undefined) return [];
  const far = ranked.filter((arm) => Math.abs((arm.context_tokens.mean as number) - median) > median / 10);
  if (far.length === 0) return [];
  const listed = far.map((arm) => `${arm.arm} ${Math.round(arm.context_tokens.mean as number)}`).join(', ');
  return [`Mean context differs by more than a tenth from the median arm's ${Math.round(median)} tokens: ${listed}.`];
}

/** Denominators, where an arm's differ from its number of questions. */
function denominators(arms: readonly ArmResult[]): string[] {
  const scorers = Object.keys(arms[0]?.score_details ?? {});
  return scorers.map((scorer) => {
    const counts = new Map<number, string[]>();
    for (const arm of arms) {
      const n = arm.score_details[scorer]?.n ?? 0;
      counts.set(n, [...(counts.get(n) ?? []), arm.arm]);
    }
    const parts = [...counts].map(([n, names]) => `n=${n}${counts.size === 1 ? '' : ` (${names.join(', ')})`}`);
    return `${scorer}: ${parts.join('; ')}`;
  });
}

function showCategories(arms: readonly ArmResult[], scorer: string | undefined): string {
  const categories = [...new Set(arms.flatMap((arm) => Object.keys(arm.by_category)))].sort();
  if (scorer === undefined || categories.length < 2) return '';
  const count = (category: string): number =>
    Math.max(0, ...arms.map((arm) => arm.by_category[category]?.[scorer]?.n ?? 0));
  return plainTable(
    [`${scorer} by category`, ...categories.map((category) => `${category} (n=${count(category)})`)],
    arms.map((arm) => [arm.arm, ...categories.map((category) => showScore(arm.by_category[category]?.[scorer]?.mean))]),
    categories.map((_, index) => index + 1),
  );
}

function showMoney(ledger: LedgerResult): string {
  const parts = [
    `limit ${showNanoUsd(ledger.limit_nano_usd)}`,
    `spent ${showNanoUsd(ledger.spent_nano_usd)}`,
    `held ${showNanoUsd(ledger.held_nano_usd)}`,
    counted(ledger.sends, 'send'),
    ...(ledger.breached ? ['BREACHED: a cost exceeded its reservation, and admission stopped'] : []),
  ];
  return `ledger: ${parts.join(', ')}`;
}
