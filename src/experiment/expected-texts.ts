import type { RecallUnit } from '../memory/memory.js';
import type { BeliefState, StateRecord } from '../parity/parity.js';

/**
 * The texts whose vectors a cell of a known state will ask for, in store order: a head start for the embedder, and nothing more, since
 * recall asks by itself for what it needs.
 */
export function expectedTexts(state: BeliefState, units: ReadonlySet<RecallUnit>): string[] {
  return [...(units.has('beliefs') ? beliefTexts(state) : []), ...(units.has('turns') ? turnTexts(state) : [])];
}

/** Statements of beliefs whose sources all stand as they were cited. */
function beliefTexts({ tables }: BeliefState): string[] {
  const versions = new Map((tables.turn ?? []).map((turn) => [keyOf(turn, 'id'), turn.version]));
  const outdated = new Set(
    (tables.belief_source ?? [])
      .filter((source) => versions.get(keyOf(source, 'turn_id')) !== source.turn_version)
      .map((source) => keyOf(source, 'belief_id')),
  );
  return (tables.belief ?? [])
    .filter((belief) => !outdated.has(keyOf(belief, 'id')))
    .map(({ statement }) => `${statement}`);
}

function turnTexts({ tables }: BeliefState): string[] {
  return (tables.turn ?? [])
    .filter((turn) => turn.erased !== true)
    .map(({ speaker, text, caption }) => `${speaker}: ${text}${caption === null ? '' : ` [image: ${caption}]`}`);
}

function keyOf(record: StateRecord, column: string): string {
  return JSON.stringify([record.tenant, record.principal, record[column]]);
}
