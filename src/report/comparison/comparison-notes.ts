import { counted } from '../../core/counted.js';
import type { RunRecord } from '../../experiment/run-record.js';
import { changedLabelsSentences } from '../changed-labels-text.js';
import { fewConversationsNotes } from '../few-conversations.js';
import type { ArmOfRun } from './arm-of-run.js';
import type { ChosenScorers } from './choose-scorers.js';
import type { DatasetComparison } from './comparison.js';
import { degradedArms } from './factors/refusals.js';
import type { Treatment } from './factors/treatment.js';
import { type ArmPair, shownArms } from './pairs-of-arms.js';

/** What notes are made from. */
export interface NoteFacts {
  readonly base: RunRecord;
  readonly head: RunRecord;
  readonly kind: 'two-runs' | 'within-run';
  readonly pairs: readonly ArmPair[];
  readonly scorers: ChosenScorers;
  readonly treatment: Treatment;
  readonly formation_differs: boolean;
  readonly datasets: readonly DatasetComparison[];
  /** Factors of the scores that are not compared alone: what measures them. */
  readonly other_rulers: readonly string[];
  /** Whether every arm that both runs have was asked for. */
  readonly is_whole: boolean;
}

/** What a reader must know beside the numbers, in plain sentences. */
export function comparisonNotes(facts: NoteFacts): string[] {
  return [
    ...treatmentNotes(facts),
    ...(facts.formation_differs
      ? ['Formation differs: questions are paired, the beliefs that they were asked of are not.']
      : []),
    ...planNotes(facts),
    ...labelNotes(facts),
    ...wholenessNotes(facts),
    ...degradedArms(facts.pairs).map(
      (arm) => `${named(arm, facts)} is degraded: a lookup missed, and another strategy answered in its place.`,
    ),
    ...fewConversationsNotes(clustersOf(facts.datasets)),
    ...leftOutNotes(facts),
  ];
}

/** The conversations that each interval rests on. */
function clustersOf(datasets: readonly DatasetComparison[]): number[] {
  return datasets.flatMap(({ contrasts }) =>
    contrasts.flatMap(({ new_conversations: found }) =>
      found.kind === 'estimated' ? [found.degrees_of_freedom + 1] : [],
    ),
  );
}

function treatmentNotes({
  treatment: { treatment, is_assumed, idle, confounders, measures, factors },
}: NoteFacts): string[] {
  return [
    ...(factors.length === 0
      ? ['Nothing that is known differs between the two sides: what their scores differ by is chance.']
      : []),
    ...(is_assumed ? [`Nothing else differs, and so ${treatment.join(', ')} is taken to be the treatment.`] : []),
    ...idle.map((name) => `${name} was stated to be the treatment, and does not differ.`),
    ...(confounders.length > 0
      ? [
          `Confounded: ${treatment.length === 0 ? 'no treatment was stated, and' : `besides ${treatment.join(', ')}`} these differ: ${confounders.join(', ')}. A difference may come from any of them.`,
        ]
      : []),
    ...measures.map(
      (name) => `Scores of base and head are not on one scale: ${name} differ${name === 'judge' ? 's' : ''}.`,
    ),
  ];
}

function planNotes({ base, head, kind }: NoteFacts): string[] {
  if (kind === 'within-run') return [];
  const [before, after] = [base.matrix.analysis, head.matrix.analysis];
  if (before.primary !== after.primary)
    return [`Base plans by ${before.primary} and head by ${after.primary}: nothing of this comparison was planned.`];
  const differs = (['alpha', 'power', 'margin'] as const).filter((name) => before[name] !== after[name]);
  return differs.length === 0 ? [] : [`Base and head plan with other ${differs.join(', ')}: those of head are used.`];
}

/** Labels that were changed after the answers (MX-8). */
function labelNotes({ base, head, kind }: NoteFacts): string[] {
  if (kind === 'within-run') return changedLabelsSentences(head.result.changed_labels);
  return [
    ...changedLabelsSentences(base.result.changed_labels, ' of base'),
    ...changedLabelsSentences(head.result.changed_labels, ' of head'),
  ];
}

function wholenessNotes(facts: NoteFacts): string[] {
  const runs = facts.kind === 'within-run' ? [facts.head] : [facts.base, facts.head];
  const shown = shownArms(facts.pairs);
  return runs.flatMap((record) => {
    if (record.result.status === 'complete') return [];
    const arms = shown.filter((arm) => arm.record === record && arm.result.status !== 'complete');
    return [
      `${record.run} is ${record.result.status}.`,
      ...arms.map(
        (arm) => `${named(arm, facts)} is ${arm.result.status}: ${arm.result.reason ?? 'no reason is known'}.`,
      ),
    ];
  });
}

function named({ settings, record }: ArmOfRun, { kind, head }: NoteFacts): string {
  return kind === 'within-run' ? settings.name : `${settings.name} of ${record === head ? 'head' : 'base'}`;
}

function leftOutNotes({ base, head, kind, scorers, other_rulers, is_whole }: NoteFacts): string[] {
  const names = (record: RunRecord): string[] => record.matrix.arms.map(({ name }) => name);
  const alone = [
    ...names(base).filter((name) => !names(head).includes(name)),
    ...names(head).filter((name) => !names(base).includes(name)),
  ];
  const isReference = (record: RunRecord, name: string): boolean =>
    record.matrix.arms.some((arm) => arm.name === name && arm.reference);
  const unlike = names(head).filter(
    (name) => names(base).includes(name) && isReference(base, name) !== isReference(head, name),
  );
  return [
    ...(scorers.others.length === 0 ? [] : [othersNote(scorers.others, other_rulers)]),
    ...(scorers.left_out.length === 0 ? [] : [`Only one side has scores by ${scorers.left_out.join(', ')}.`]),
    ...(kind === 'two-runs' && is_whole && alone.length > 0
      ? [`Only one side has the ${counted(alone.length, 'arm')} ${alone.join(', ')}.`]
      : []),
    ...(is_whole ? unlike.map((name) => `${name} is a reference on one side alone, and is not compared.`) : []),
    ...head.manifest.fixtures.flatMap(({ id, dataset }) => {
      const before = base.manifest.fixtures.find((one) => one.id === id)?.dataset ?? dataset;
      return before === dataset || dataset === null
        ? []
        : [`${id} is of ${before} in base and of ${dataset} in head: that of head is used.`];
    }),
  ];
}

function othersNote(names: readonly string[], rulers: readonly string[]): string {
  const unlike = rulers.length === 0 ? '' : ` For them alone these differ: ${rulers.join(', ')}.`;
  return `Not compared, exploratory: ${counted(names.length, 'other score')} (${names.join(', ')}). --all-scorers shows ${names.length === 1 ? 'it' : 'all'}, --scorer NAME one.${unlike}`;
}
