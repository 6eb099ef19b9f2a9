import { digestJson } from '../../core/digest.js';
import type { RunRecord } from '../../experiment/run-record.js';
import { smallestDetectableDifference } from '../statistics/statistics.js';
import { ArmRows, type QuestionSets, type RowsOfRun } from './arm-rows.js';
import type { ChosenScorers } from './choose-scorers.js';
import type { Comparison, ContrastResult, DatasetComparison } from './comparison.js';
import { type ContrastNumbers, contrastNumbers } from './contrast.js';
import { injects } from './factors/arm-pair-factors.js';
import type { Treatment } from './factors/treatment.js';
import { adjustFamily } from './family.js';
import { type NoiseFloor, noiseFloor } from './noise-floor.js';
import type { ArmPair } from './pairs-of-arms.js';
import { verdictOf } from './verdicts/verdict.js';

type Sides = Pick<ArmPair, 'base' | 'head'>;

/** What datasets are compared from. */
export interface DatasetFacts {
  readonly kind: Comparison['kind'];
  readonly pairs: readonly ArmPair[];
  readonly scorers: ChosenScorers;
  readonly treatment: Pick<Treatment, 'confounders' | 'measures'>;
  readonly formation_differs: boolean;
  readonly analysis: RunRecord['matrix']['analysis'];
  /** By fixture. */
  readonly datasetOf: ReadonlyMap<string, string>;
  readonly rows: { readonly base: RowsOfRun; readonly head: RowsOfRun };
  /** Arms of head that ran twice: the second time is the pair's head. */
  readonly twins: readonly Sides[];
  readonly diagnostics: boolean;
}

/** One scorer over one pair of arms, of one dataset. */
interface Member {
  readonly dataset: string;
  readonly pair: ArmPair;
  readonly planned: boolean;
  readonly in_sample: number;
  readonly numbers: ContrastNumbers;
}

/** Compares every pair by every scorer, a dataset after another (RP-3): nothing is pooled over them but the family that Holm adjusts over. */
export function compareDatasets(facts: DatasetFacts): DatasetComparison[] {
  const datasets = [...new Set(facts.datasetOf.values())];
  const members = datasets.flatMap((dataset) => membersOf(dataset, facts));
  const adjusted = adjustFamily(members);
  const family = members.filter(({ planned }) => planned).length;
  return datasets.map((dataset) => {
    const shown = members.filter((member) => member.dataset === dataset && member.pair.shown);
    const contrasts = shown.map((member): ContrastResult => {
      const { pair, planned, in_sample, numbers } = member;
      const { tests, questions, ...told } = numbers;
      const own = adjusted.get(member) ?? { as_zero: null, left_out: null };
      const { alpha, power } = facts.analysis;
      // By Holm's strictest step, which finds what it finds whatever comes of the other contrasts.
      const smallest_detectable = smallestDetectableDifference(numbers.new_conversations, {
        alpha: planned ? alpha / family : alpha,
        power,
      });
      const verdict = verdictOf(numbers, {
        labels_changed: areLabelsChanged(pair),
        ...{ adjusted: own, planned, family, in_sample, kind: facts.kind, alpha, smallest_detectable },
        references: [pair.head, pair.base].flatMap(({ settings }) => (settings.reference ? [settings.name] : [])),
        confounders: facts.treatment.confounders,
        measures: facts.treatment.measures,
        formation_differs: facts.formation_differs,
      });
      return { ...told, smallest_detectable, planned, adjusted_p: planned ? own.as_zero : null, verdict };
    });
    return {
      dataset,
      conversations: conversationsOf(dataset, facts, shown[0]),
      contrasts,
      noise_floors: noiseFloorsOf(dataset, facts),
    };
  });
}

function noiseFloorsOf(dataset: string, { rows, twins, scorers, analysis }: DatasetFacts): NoiseFloor[] {
  if (!scorers.scorers.includes(scorers.primary)) return [];
  return twins.map((pair) => {
    const [arm, twin] = [pair.base.settings.name, pair.head.settings.name];
    const scores = (name: string) =>
      rows.head.get(dataset)?.get(name)?.without(learntFrom(pair)).scores(scorers.primary, 'as-zero') ?? [];
    return noiseFloor({ arm, twin, dataset }, { arm: scores(arm), twin: scores(twin) }, analysis.alpha);
  });
}

/** The primary scorer's pairs first; of the others only what is shown. */
function membersOf(dataset: string, facts: DatasetFacts): Member[] {
  const { primary, scorers } = facts.scorers;
  return scorers.flatMap((scorer) =>
    facts.pairs
      .filter((pair) => pair.shown || (scorer === primary && pair.planned && facts.pairs.some(isPlannedAndShown)))
      .map((pair) => member(dataset, pair, scorer, facts)),
  );
}

function isPlannedAndShown({ planned, shown }: ArmPair): boolean {
  return planned && shown;
}

function member(dataset: string, pair: ArmPair, scorer: string, facts: DatasetFacts): Member {
  const { analysis, scorers, datasetOf, diagnostics } = facts;
  const learnt = learntFrom(pair);
  const rowsOf = (side: 'base' | 'head'): ArmRows =>
    facts.rows[side].get(dataset)?.get(pair[side].settings.name) ?? new ArmRows([]);
  const [base, head] = [rowsOf('base'), rowsOf('head')];
  const [base_arm, head_arm] = [pair.base.settings.name, pair.head.settings.name];
  return {
    dataset,
    pair,
    planned: pair.planned && scorer === scorers.primary && !areLabelsChanged(pair),
    in_sample: new Set([...base.keysOf(learnt), ...head.keysOf(learnt)]).size,
    numbers: contrastNumbers(
      { base: base.without(learnt), head: head.without(learnt) },
      {
        ...{ base_arm, head_arm, scorer, alpha: analysis.alpha, diagnostics },
        seed: seedOf(pair.head.record, dataset, datasetOf, [scorer, base_arm, head_arm]),
      },
    ),
  };
}

/** After the answers: no plan covers that (MX-8). */
function areLabelsChanged({ base, head }: ArmPair): boolean {
  return [base, head].some(({ record }) => record.result.changed_labels.length > 0);
}

/** The questions that a pair leaves out, by conversation: where an arm of it injects lessons, those that lessons were learnt from (LE-6). */
function learntFrom({ base, head }: Sides): QuestionSets {
  const learnt = new Map<string, Set<string>>();
  for (const { record } of [base, head].filter(injects))
    for (const { fixture, questions } of record.result.lessons?.in_sample ?? [])
      learnt.set(fixture, new Set([...(learnt.get(fixture) ?? []), ...questions]));
  return learnt;
}

/** Of what is drawn: by what the rows are of, so that the same comparison says the same wherever and whenever it is made. */
function seedOf(
  { manifest }: RunRecord,
  dataset: string,
  datasetOf: ReadonlyMap<string, string>,
  of: readonly string[],
): string {
  const fixtures = manifest.fixtures.filter(({ id }) => datasetOf.get(id) === dataset);
  return digestJson([fixtures.map(({ id, corpus, load }) => [id, corpus, load]), ...of]);
}

function conversationsOf(
  dataset: string,
  { datasetOf }: DatasetFacts,
  first: Member | undefined,
): DatasetComparison['conversations'] {
  return [...datasetOf]
    .filter(([, own]) => own === dataset)
    .map(([fixture]) => ({ fixture, questions: first?.numbers.questions.get(fixture) ?? 0 }));
}
