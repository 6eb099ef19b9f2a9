import { counted } from '../../core/counted.js';
import type { FormationResult } from '../../experiment/experiment.js';
import { showActual, showNanoUsd } from '../money-text.js';
import { FORMATION_SOURCES, VECTOR_SOURCES } from './formation-words.js';

/** Where formation and vectors came from, and what formation cost: a line for all conversations of one source and review. */
export function formationLines(formation: readonly FormationResult[]): string[] {
  return groupedFormations(formation).map((group) => {
    const [{ source, review }] = group;
    const fixtures = new Set(group.map(({ fixture }) => fixture)).size;
    const banks = group.length === fixtures ? '' : `, ${counted(group.length, 'bank')}`;
    const conversations = `${counted(fixtures, 'conversation')}${banks}`;
    const parts = [
      ...(source === 'none'
        ? []
        : [`${counted(callsOf(group), 'call')}, attributed ${attributedOf(group)}, paid ${paidOf(group)}`]),
      ...vectorsOf(group),
      `corpus ${review}`,
    ];
    return `formation: ${conversations} ${FORMATION_SOURCES[source]}: ${parts.join('; ')}`;
  });
}

/** Formations of one source and review together, in the order of their first. */
export function groupedFormations(formation: readonly FormationResult[]): [FormationResult, ...FormationResult[]][] {
  const groups = new Map<string, [FormationResult, ...FormationResult[]]>();
  for (const fixture of formation) {
    const kind = `${fixture.source}\0${fixture.review}`;
    const group = groups.get(kind);
    if (group === undefined) groups.set(kind, [fixture]);
    else group.push(fixture);
  }
  return [...groups.values()];
}

export function callsOf(group: readonly FormationResult[]): number {
  return sum(group.map(({ calls }) => calls));
}

/** Unknown where one of them is. */
export function attributedOf(group: readonly FormationResult[]): string {
  const amounts = group.map(({ attributed_nano_usd: amount }) => amount);
  return showNanoUsd(amounts.every((amount) => amount !== null) ? sum(amounts) : null);
}

export function paidOf(parts: readonly Pick<FormationResult, 'actual_nano_usd' | 'uncertain_nano_usd'>[]): string {
  return showActual(
    sum(parts.map(({ actual_nano_usd: paid }) => paid)),
    sum(parts.map(({ uncertain_nano_usd: uncertain }) => uncertain)),
  );
}

function vectorsOf(group: readonly FormationResult[]): string[] {
  const sources = new Set(group.flatMap(({ vectors }) => vectors.map(({ source }) => VECTOR_SOURCES[source])));
  return sources.size === 0 ? [] : [`vectors ${[...sources].join(', ')}`];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
