import { textsDigest } from '../../bank/vector-bank-format.js';
import { type Digest, digestText } from '../../core/digest.js';
import type { HistoryEvent, TurnEvent } from '../../fixture/history.js';
import type { BeliefState, StateRecord } from '../../parity/parity.js';

/**
 * The texts of all beliefs that any arm may search at any time, in store order: current and superseded ones, whose sources all stand as
 * they were cited. They are what a vector bank of a state holds.
 */
export function beliefTexts({ tables }: BeliefState): string[] {
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

/** The texts of all turns as they are searched, in store order: speaker, text and caption; corrected where that came, without what was erased. */
export function turnTexts(history: readonly HistoryEvent[]): string[] {
  const turns = new Map<string, TurnEvent>();
  for (const event of history) {
    if (event.kind === 'turn') turns.set(event.id, event);
    else if (event.kind === 'erasure') turns.delete(event.of);
    else {
      const turn = turns.get(event.of);
      if (turn !== undefined) turns.set(event.of, { ...turn, text: event.text });
    }
  }
  return [...turns.values()].map(
    ({ speaker, text, caption }) => `${speaker}: ${text}${caption === null ? '' : ` [image: ${caption}]`}`,
  );
}

/** Each text once, in order, and the digest by which a vector bank binds them (VB-1). */
export function searchedTexts(all: readonly string[]): { readonly texts: readonly string[]; readonly digest: Digest } {
  const texts = [...new Set(all)];
  return { texts, digest: textsDigest(texts.map(digestText)) };
}

function keyOf(record: StateRecord, column: string): string {
  return JSON.stringify([record.tenant, record.principal, record[column]]);
}
