import type { RunRecord } from '../../experiment/run-record.js';
import { armOfRun } from './arm-of-run.js';
import { readArmRows } from './arm-rows.js';
import { chooseScorers } from './choose-scorers.js';
import { COMPARE_DEFAULTS, type CompareOptions } from './compare-options.js';
import type { ComparedSide, Comparison } from './comparison.js';
import { comparisonNotes } from './comparison-notes.js';
import { compareDatasets, type DatasetFacts } from './datasets.js';
import { datasetsOf } from './datasets-of-runs.js';
import { armPairFactors } from './factors/arm-pair-factors.js';
import { refuseDegraded, refuseUnlikeBanks, refuseUnlikeInput } from './factors/refusals.js';
import { type FoundFactor, runFactors } from './factors/run-factors.js';
import { treatmentOf } from './factors/treatment.js';
import { type ArmPair, pairsBetweenRuns, pairsWithinRun } from './pairs-of-arms.js';

/**
 * Compares two runs: each arm that both have, or those that are asked for (RP-2, RP-3). Differences are head - base.
 *
 * @throws exit 2: `COMPARE_OTHER_FIXTURES`, `COMPARE_OTHER_CORPUS`, `COMPARE_OTHER_LOAD`, `COMPARE_OTHER_BANKS`, `COMPARE_DEGRADED`, `COMPARE_UNKNOWN_ARM`,
 * `COMPARE_UNKNOWN_SCORER`, `COMPARE_UNKNOWN_TREATMENT`, `COMPARE_ARM_NOT_NAMED`, `COMPARE_NOTHING`; `RUN_ROWS_BROKEN`.
 */
export async function compareRuns(
  base: RunRecord,
  head: RunRecord,
  asked: Partial<CompareOptions> = {},
): Promise<Comparison> {
  const options = { ...COMPARE_DEFAULTS, ...asked };
  const pairs = pairsBetweenRuns(base, head, options);
  refuseUnlikeInput(base, head);
  return compared('two-runs', base, head, pairs, options);
}

/**
 * Compares arms of one run: the contrasts that its matrix planned and every other arm against the baseline, or the two that are asked for (MX-8, RP-3).
 *
 * @throws exit 2 as `compareRuns`, and `COMPARE_ARM_WITH_ITSELF`.
 */
export async function compareArms(run: RunRecord, asked: Partial<CompareOptions> = {}): Promise<Comparison> {
  const options = { ...COMPARE_DEFAULTS, ...asked };
  return compared('within-run', run, run, pairsWithinRun(run, options), options);
}

async function compared(
  kind: Comparison['kind'],
  base: RunRecord,
  head: RunRecord,
  pairs: readonly ArmPair[],
  options: CompareOptions,
): Promise<Comparison> {
  const scorers = chooseScorers(base, head, options);
  refuseDegraded(pairs, options.allow_degraded);
  const found = factorsOf(kind, base, head, pairs, scorers.scorers);
  const treatment = treatmentOf(found, [...implied(kind, pairs), ...options.treatments]);
  const formation = found.filter(({ factor }) => factor === 'bank' || factor === 'state');
  if (kind === 'two-runs') refuseUnlikeBanks(formation.map(bankText), options.across_banks);
  const { analysis } = head.matrix;
  const datasetOf = datasetsOf(base, head);
  const arms = (side: 'base' | 'head') => new Set(pairs.map((pair) => pair[side].settings.name));
  const within = kind === 'within-run';
  const twins = twinsOf(head);
  const ofHead = [
    ...arms('head'),
    ...(within ? arms('base') : []),
    ...twins.flatMap(({ base: arm, head: twin }) => [arm.settings.name, twin.settings.name]),
  ];
  const headRows = await readArmRows(head, new Set(ofHead), scorers.scorers, datasetOf);
  const baseRows = within ? headRows : await readArmRows(base, arms('base'), scorers.scorers, datasetOf);
  const formation_differs = formation.length > 0;
  const datasets = compareDatasets({
    kind,
    pairs,
    scorers,
    treatment,
    formation_differs,
    analysis,
    datasetOf,
    rows: { base: baseRows, head: headRows },
    twins,
    diagnostics: options.diagnostics,
  });
  return {
    format: 'comparison@1',
    base: sideOf(base),
    head: sideOf(head),
    kind,
    factors: treatment.factors,
    confounded: treatment.confounders.length > 0,
    formation_differs,
    alpha: analysis.alpha,
    power: analysis.power,
    margin: analysis.margin,
    primary: analysis.primary,
    datasets,
    gates: [],
    gate: 'none',
    notes: comparisonNotes({
      ...{ base, head, kind, pairs, scorers, treatment, formation_differs, datasets },
      other_rulers: factorNames(factorsOf(kind, base, head, [], scorers.others)).filter(
        (name) => !factorNames(found).includes(name),
      ),
      is_whole: options.arm === null,
    }),
  };
}

/** Each thing that differs once, whatever pairs of arms it is of. */
function factorsOf(
  kind: Comparison['kind'],
  base: RunRecord,
  head: RunRecord,
  pairs: readonly ArmPair[],
  scorers: readonly string[],
): FoundFactor[] {
  const own = pairs.filter(({ shown }) => shown).flatMap((pair) => armPairFactors(pair));
  // Banks are a fixture's: the same of every pair, but for states that each arm formed on its own.
  const shared = own.map((factor) =>
    factor.factor === 'bank' || (factor.factor === 'state' && !isLive(head)) ? { ...factor, arm: null } : factor,
  );
  const all = kind === 'within-run' ? shared : [...runFactors(base, head, scorers), ...shared];
  return [...new Map(all.map((factor) => [JSON.stringify(factor), factor])).values()];
}

function factorNames(factors: readonly FoundFactor[]): string[] {
  return [...new Set(factors.map(({ factor }) => factor))];
}

function isLive({ matrix: { formation } }: RunRecord): boolean {
  return formation?.bank === 'off';
}

/** Within one run the arm is what differs; so it is where an arm of head is compared with another of base. */
function implied(kind: Comparison['kind'], pairs: readonly ArmPair[]): string[] {
  const isOther = pairs.some(({ base, head, shown }) => shown && base.settings.name !== head.settings.name);
  return kind === 'within-run' || isOther ? ['arm'] : [];
}

function bankText({ factor, fixture, arm, base, head }: FoundFactor): string {
  return `${[fixture, arm].filter((part) => part !== null).join(', ')}: ${factor} ${base} in base, ${head} in head`;
}

/** Arms that the run asked twice (RP-8). */
function twinsOf(run: RunRecord): DatasetFacts['twins'] {
  return run.matrix.arms.flatMap(({ name, aa_of: arm }) =>
    arm === undefined ? [] : [{ base: armOfRun(run, arm), head: armOfRun(run, name) }],
  );
}

function sideOf({ run, path, manifest, result }: RunRecord): ComparedSide {
  return { run, path, matrix: manifest.matrix.digest, started_at: manifest.started_at, status: result.status };
}
