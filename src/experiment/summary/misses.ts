import type { FixtureOutline } from '../../fixture/fixture.js';
import type { Label } from '../../fixture/label.js';
import type { ArmSettings } from '../../matrix/matrix.js';
import type { BeliefState, StateRecord } from '../../parity/parity.js';
import { type FormedEvidence, MISS_BELOW, missOf } from '../../scoring/miss.js';
import { readsBeliefs } from '../arm-needs.js';
import type { Observation } from '../asking/observation.js';

/** What lays the cause of a miss on the rows of a cell, once they are scored. */
export function missTeller(
  scorer: string | null,
  fixture: FixtureOutline,
  cell: { readonly arm: ArmSettings; readonly state: { readonly state: BeliefState } },
): (row: Observation) => Observation {
  const presents = new Map(fixture.questions.map(({ id, asked_at }) => [id, asked_at]));
  const known = new Map<string, FormedEvidence>();
  const formedAt = (present: string): FormedEvidence => {
    const formed = known.get(present) ?? formedEvidence(cell.state.state, present);
    known.set(present, formed);
    return formed;
  };
  return (row) => {
    const score = scorer === null ? null : (row.scores[scorer] ?? null);
    if (row.outcome.kind !== 'answered' || score === null || score >= MISS_BELOW) return { ...row, miss: null };
    const included = new Set(row.context?.included);
    const miss = missOf({
      label: fixture.labels.get(row.question) as Label,
      formed: readsBeliefs(cell.arm) ? formedAt(presents.get(row.question) as string) : null,
      retrieved: sourcesOf(row.retrieved),
      in_context: row.context === null ? null : sourcesOf(row.retrieved.filter(({ id }) => included.has(id))),
    });
    return { ...row, miss: { cause: miss.cause, turns: [...miss.turns] } };
  };
}

function sourcesOf(items: Observation['retrieved']): Set<string> {
  return new Set(items.flatMap(({ sources }) => sources));
}

/** The turns that beliefs rest on at a time, as the store has it (memory/beliefs/sql: permitted_belief, visible_beliefs). */
export function formedEvidence({ tables }: BeliefState, present: string): FormedEvidence {
  const text = (record: StateRecord, column: string): string => `${record[column]}`;
  const versions = new Map((tables.turn ?? []).map((turn) => [text(turn, 'id'), turn.version]));
  const sources = tables.belief_source ?? [];
  const outdated = new Set(
    sources
      .filter((source) => versions.get(text(source, 'turn_id')) !== source.turn_version)
      .map((source) => text(source, 'belief_id')),
  );
  const visible = new Set(
    (tables.belief ?? [])
      .filter((belief) => text(belief, 'visible_from') <= present && !outdated.has(text(belief, 'id')))
      .map((belief) => text(belief, 'id')),
  );
  const superseded = new Set(
    (tables.supersession ?? [])
      .filter((supersession) => visible.has(text(supersession, 'belief_id')))
      .map((supersession) => text(supersession, 'superseded_id')),
  );
  const turnsOf = (holds: (belief: string) => boolean): Set<string> =>
    new Set(sources.filter((source) => holds(text(source, 'belief_id'))).map((source) => text(source, 'turn_id')));
  return {
    any: turnsOf((belief) => visible.has(belief)),
    current: turnsOf((belief) => visible.has(belief) && !superseded.has(belief)),
  };
}
