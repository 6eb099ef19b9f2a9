import type { BeliefState } from '../../../parity/parity.js';

/** What is shown of a belief. */
export interface KnownBelief {
  readonly statement: string;
  readonly subjects: readonly string[];
  readonly at: string | null;
  readonly superseded_by: readonly string[];
}

/** The beliefs of a state, by their ids. */
export function beliefsOf(state: BeliefState): Map<string, KnownBelief> {
  const later = new Map<string, string[]>();
  for (const { superseded_id, belief_id } of state.tables.supersession ?? []) {
    const superseded = String(superseded_id);
    later.set(superseded, [...(later.get(superseded) ?? []), String(belief_id)]);
  }
  return new Map(
    (state.tables.belief ?? []).map((record) => {
      const id = String(record.id);
      return [
        id,
        {
          statement: String(record.statement),
          subjects: Array.isArray(record.subjects) ? record.subjects.map(String) : [],
          at: typeof record.observed_at === 'string' ? record.observed_at : null,
          superseded_by: later.get(id) ?? [],
        },
      ];
    }),
  );
}
