import { counted } from '../../../core/counted.js';
import { terminalLine } from '../../../core/terminal-text.js';
import type { ArmResult, RunResult } from '../../../experiment/experiment.js';
import { changedLabelsSentences } from '../../changed-labels-text.js';
import { inSampleQuestions } from '../../in-sample.js';
import { isWhollyAsked } from '../ranked-arms.js';
import { unequalContext } from './unequal-context.js';

/** What forbids a conclusion from a run, or weakens it. */
export interface RunLimit {
  readonly kind:
    | 'incomplete'
    | 'breached'
    | 'arm-stopped'
    | 'unpaired'
    | 'degraded'
    | 'lost'
    | 'failed'
    | 'unjudged'
    | 'in-sample'
    | 'model-changed'
    | 'labels-changed'
    | 'unequal-context'
    | 'unreviewed';
  /** What it is of; null where it is the whole run's. */
  readonly arm: string | null;
  /** One plain sentence, safe to print. */
  readonly sentence: string;
}

/** All limits of a run, the gravest first; of one kind, in the order of the arms. */
export function runLimits(result: RunResult): RunLimit[] {
  const { arms } = result;
  const each = (limitOf: (arm: ArmResult) => RunLimit[]): RunLimit[] => arms.flatMap(limitOf);
  return [
    ...incomplete(result),
    ...(result.ledger?.breached
      ? [whole('breached', 'A call cost more than its reservation, and admission stopped: the rest was not asked.')]
      : []),
    ...changedLabelsSentences(result.changed_labels).map((sentence) => whole('labels-changed', sentence)),
    ...each(stopped),
    ...unpaired(arms),
    ...each(degraded),
    ...each(lost),
    ...each(failed),
    ...each(unjudged),
    ...inSample(result),
    ...result.model_changes.map(({ stage, requested, reported }) =>
      whole(
        'model-changed',
        `The ${stage} model ${terminalLine(requested, 80)} reported several names within the run: ${terminalLine(reported.join(', '), 200)}. Not all rows may be of one model.`,
      ),
    ),
    ...unequal(arms),
    ...unreviewed(result),
  ];
}

function whole(kind: RunLimit['kind'], sentence: string): RunLimit {
  return { kind, arm: null, sentence };
}

function incomplete({ status, resume }: RunResult): RunLimit[] {
  if (status === 'complete') return [];
  const next = resume === null ? '' : ` Continue it with: ${resume}`;
  return [whole('incomplete', `The run is ${status}: what it shows is of the rows that it has.${next}`)];
}

function stopped(result: ArmResult): RunLimit[] {
  const { arm, status, reason } = result;
  if (isWhollyAsked(result)) return [];
  const why = reason === null ? '' : ` (${terminalLine(reason, 300)})`;
  return [{ kind: 'arm-stopped', arm, sentence: `${arm} is ${status}${why}: it is not ranked.` }];
}

function unpaired(arms: readonly ArmResult[]): RunLimit[] {
  const own = arms.filter(({ parity }) => parity === 'unpaired');
  if (own.length === 0) return [];
  const names = own.map(({ arm }) => arm).join(', ');
  return [
    whole(
      'unpaired',
      `Formed beliefs of their own, without a bank: ${names}. Their differences mix formation with retrieval, and no paired comparison takes them.`,
    ),
  ];
}

function degraded({ arm, degraded: is, lookup_misses, questions }: ArmResult): RunLimit[] {
  if (!is) return [];
  const missed = Object.entries(lookup_misses).reduce((sum, [why, count]) => sum + (why === 'off' ? 0 : count), 0);
  return [
    {
      kind: 'degraded',
      arm,
      sentence: `${arm} is degraded: in ${missed} of ${counted(questions, 'row')} a semantic lookup missed, and sparse recall answered instead. It is not ranked.`,
    },
  ];
}

function lost({ arm, lost: count, questions }: ArmResult): RunLimit[] {
  if (count === 0) return [];
  return [
    {
      kind: 'lost',
      arm,
      sentence: `${arm} lost ${count} of ${counted(questions, 'row')} to the provider or the budget: they are in no mean.`,
    },
  ];
}

function failed({ arm, failed: count, questions }: ArmResult): RunLimit[] {
  if (count === 0) return [];
  return [
    {
      kind: 'failed',
      arm,
      sentence: `${arm} failed by its own making in ${count} of ${counted(questions, 'row')}: they count as 0.`,
    },
  ];
}

function unjudged({ arm, judging }: ArmResult): RunLimit[] {
  return Object.entries(judging ?? {}).flatMap(([judge, { unjudged: count }]) =>
    count === 0
      ? []
      : [
          {
            kind: 'unjudged' as const,
            arm,
            sentence: `The judge ${judge} gave no verdict on ${counted(count, 'answer')} of ${arm}: they are in no mean of it.`,
          },
        ],
  );
}

function inSample(result: RunResult): RunLimit[] {
  const count = inSampleQuestions(result);
  const unknown = result.lessons?.of_unknown_origin ?? 0;
  return [
    ...(count === 0
      ? []
      : [
          whole(
            'in-sample',
            `Lessons were learnt from ${counted(count, 'question')} of this load: no verdict rests on them. Tables and charts hold them unless they say otherwise.`,
          ),
        ]),
    ...(unknown === 0
      ? []
      : [
          whole(
            'in-sample',
            `${counted(unknown, 'lesson')} came in by an import: nobody knows what questions it was learnt from, this load's perhaps.`,
          ),
        ]),
  ];
}

/** What reads more may score more for that alone (RT-4). */
function unequal(arms: readonly ArmResult[]): RunLimit[] {
  const found = unequalContext(arms);
  return found === null
    ? []
    : [whole('unequal-context', `${found} What differs in score may come of what was read more.`)];
}

function unreviewed({ formation }: RunResult): RunLimit[] {
  const reviews = new Map(formation.map(({ fixture, review }) => [fixture, review]));
  const of = (review: string): number => [...reviews.values()].filter((one) => one === review).length;
  const all = counted(reviews.size, 'corpus', 'corpora');
  const [never, changed] = [of('unreviewed'), of('changed-since-review')];
  return [
    ...(never === 0 ? [] : [whole('unreviewed', `No person has reviewed ${never} of ${all}.`)]),
    ...(changed === 0
      ? []
      : [
          whole('unreviewed', `${changed} of ${all} changed since a person reviewed ${changed === 1 ? 'it' : 'them'}.`),
        ]),
  ];
}
