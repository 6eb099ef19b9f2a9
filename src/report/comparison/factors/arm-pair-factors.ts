import type { FormationResult } from '../../../experiment/experiment.js';
import type { RunRecord } from '../../../experiment/run-record.js';
import { scoresVectors } from '../../../matrix/matrix.js';
import type { ArmOfRun } from '../arm-of-run.js';
import type { ArmPair } from '../pairs-of-arms.js';
import { differingSets, differingSettings, type Sides } from './differing.js';
import type { FactorName } from './factor-names.js';
import type { FoundFactor } from './run-factors.js';

/** What differs between two arms, beside what differs between their runs (RP-2). */
export function armPairFactors({ base, head }: ArmPair): FoundFactor[] {
  const { name } = head.settings;
  const arm = base.settings.name === name ? name : `${name} against ${base.settings.name}`;
  const found = (factor: FactorName, fixture: string | null, sides: Sides | null): FoundFactor[] =>
    sides === null ? [] : [{ factor, fixture, arm, ...sides }];
  const usesVectors = [base, head].some(({ settings }) => scoresVectors(settings.retrieval.strategy));
  return [
    ...found('arm', null, differingSettings(settingsOf(base), settingsOf(head))),
    ...head.record.manifest.fixtures.flatMap(({ id }) => [
      ...found('bank', id, differingSets(banksOf(base, id), banksOf(head, id))),
      ...found('state', id, differingStates(base, head, id)),
      ...(usesVectors ? found('vector-bank', id, differingSets(vectorsOf(base, id), vectorsOf(head, id))) : []),
    ]),
    ...found('lessons', null, differingSets([lessonsOf(base)], [lessonsOf(head)])),
    ...found('reported-models', null, differingModels(base, head)),
  ];
}

/** Whether lessons are put before an arm's reader (LE-6). */
export function injects({ settings }: ArmOfRun): boolean {
  return settings.context?.lessons === 'inject';
}

/** An arm by its settings: not by its name, nor by where a file is that its digest binds. */
function settingsOf({ settings }: ArmOfRun): object {
  const { name, aa_of, retrieval, ...rest } = settings;
  const { path, ...bound } = retrieval;
  return { ...rest, retrieval: bound };
}

function lessonsOf(side: ArmOfRun): string {
  return injects(side) ? (side.record.manifest.lesson_projection ?? 'none') : 'none';
}

/** Of a recording that failed there is no bank to tell of: nor are there rows. */
function banksOf({ record: { manifest } }: ArmOfRun, fixture: string): string[] {
  return manifest.banks
    .filter((one) => one.fixture === fixture)
    .flatMap(({ action, bank }) => (action === 'live' || action === 'none' ? [action] : bank === null ? [] : [bank]));
}

function vectorsOf({ record: { manifest }, settings }: ArmOfRun, fixture: string): string[] {
  if (!scoresVectors(settings.retrieval.strategy)) return [];
  return manifest.vector_banks
    .filter((one) => one.fixture === fixture && one.unit === settings.retrieval.unit)
    .map(({ action, bank }) => bank ?? action);
}

/** Where beliefs were formed, and both sides say into what. */
function differingStates(base: ArmOfRun, head: ArmOfRun, fixture: string): Sides | null {
  const [one, other] = [statesOf(base, fixture), statesOf(head, fixture)];
  return one.length === 0 || other.length === 0 ? null : differingSets(one, other);
}

function statesOf({ record, settings }: ArmOfRun, fixture: string): string[] {
  return formationsOf(record, fixture).flatMap(({ state, live_states }) => {
    const own = live_states?.find(({ arm }) => arm === settings.name)?.state;
    return (live_states === null ? state : own) ?? [];
  });
}

function formationsOf({ result }: RunRecord, fixture: string): readonly FormationResult[] {
  return result.formation.filter((one) => one.fixture === fixture);
}

/** A reader that reported no name says nothing of what it was. */
function differingModels(base: ArmOfRun, head: ArmOfRun): Sides | null {
  const [one, other] = [base.result.reported_models, head.result.reported_models];
  return one.length === 0 || other.length === 0 ? null : differingSets(one, other);
}
