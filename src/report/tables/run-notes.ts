import { terminalLine, terminalText } from '../../core/terminal-text.js';
import type { ArmResult, RunResult } from '../../experiment/experiment.js';
import { changedLabelsSentences, plannedWords } from '../changed-labels-text.js';
import { unequalContext } from '../comparison/verdicts/unequal-context.js';
import { showLedger } from '../money-text.js';
import { showScore } from '../number-text.js';
import { answeredNotes, denominators } from './denominators.js';
import { formationLines } from './formation-line.js';
import { inSampleNotes } from './injection-table.js';
import { intervalNotes } from './interval-notes.js';
import { lookupNotes, preparationNotes } from './lookup-notes.js';
import { parityNotes } from './parity-note.js';
import { recallNotes } from './recall-notes.js';
import { bankNotes } from './replicates-table.js';

/** What must be known to read a run's table, a sentence each; what is as it mostly is goes unsaid. */
export function runNotes(result: RunResult): string[] {
  const { arms } = result;
  return [
    ...intervalNotes(result),
    ...denominators(arms),
    ...answeredNotes(arms),
    ...stopNotes(arms),
    ...referenceNotes(arms),
    ...aaNotes(result),
    ...lookupNotes(arms),
    ...preparationNotes(result),
    ...recallNotes(arms),
    planned(result),
    ...changedLabelsSentences(result.changed_labels),
    ...bankNotes(result),
    ...inSampleNotes(result),
    ...modelChanges(result),
    ...[unequalContext(arms)].filter((note) => note !== null),
    ...parityNotes(result),
    ...formationLines(result.formation),
    showLedger(result.ledger),
  ];
}

function stopNotes(arms: readonly ArmResult[]): string[] {
  return arms
    .filter(({ reason }) => reason !== null)
    .map(({ arm, status, reason }) => `${arm}: ${status}: ${terminalLine(reason as string, 300)}`);
}

function referenceNotes(arms: readonly ArmResult[]): string[] {
  if (!arms.some(({ reference }) => reference)) return [];
  return [
    '* reference, not ranked: full-history has no limit of context; evidence is handed the ids of the evidence turns (oracle).',
  ];
}

/** What an arm that ran twice differs by (RP-8). */
function aaNotes({ arms, analysis: { primary } }: RunResult): string[] {
  return arms.flatMap(({ arm, aa_of, scores }) => {
    if (aa_of === null) return [];
    const [first, again] = [arms.find((one) => one.arm === aa_of)?.scores[primary] ?? null, scores[primary] ?? null];
    const moved =
      first === null || again === null ? '' : `: its ${primary} moved by ${showScore(Math.abs(again - first))}`;
    return [`${arm} runs ${aa_of} a second time${moved}. A difference that is no larger is the reader's noise.`];
  });
}

/** What the analysis plan named before the run, and that the rest is exploratory (MX-8). */
function planned({ analysis: { primary, contrasts }, changed_labels }: RunResult): string {
  const words = plannedWords(changed_labels.length > 0);
  if (contrasts.length === 0)
    return `${words}: ${primary}, and no contrast: every difference between arms is exploratory.`;
  const pairs = contrasts.map(([treatment, control]) => `${treatment} against ${control}`);
  return `${words}: ${primary}, ${pairs.join(', ')}. Every other score and every other pair of arms is exploratory.`;
}

/** Models that changed within the run (PR-4). */
function modelChanges({ model_changes }: RunResult): string[] {
  return model_changes.map(({ stage, requested, reported }) =>
    terminalText(`The ${stage} model ${requested} reported several names within this run: ${reported.join(', ')}.`),
  );
}
