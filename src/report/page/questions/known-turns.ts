import type { Fixture } from '../../../fixture/fixture.js';
import type { BeliefState } from '../../../parity/parity.js';
import type { TurnText } from './page-data.js';

/** The turns of a history as they stand after its corrections and erasures: what was erased is shown nowhere (FX-2). */
export function turnsOfHistory(history: Fixture['history']): Map<string, TurnText> {
  const turns = new Map<string, TurnText>();
  for (const event of history) {
    if (event.kind === 'turn') {
      const { id, session, at, speaker, text, caption } = event;
      turns.set(id, { id, session, at, speaker, text, caption, erased: false });
      continue;
    }
    const turn = turns.get(event.of);
    if (turn === undefined) continue;
    if (event.kind === 'correction') turns.set(event.of, { ...turn, text: turn.erased ? null : event.text });
    else turns.set(event.of, { ...turn, text: null, caption: null, erased: true });
  }
  return turns;
}

/** The turns that a run's own folder holds: those that its belief state was made from. */
export function turnsOfState(state: BeliefState): Map<string, TurnText> {
  const turns = new Map<string, TurnText>();
  for (const record of state.tables.turn ?? []) {
    const erased = record.erased === true;
    const id = String(record.id);
    turns.set(id, {
      id,
      session: textOf(record.session),
      at: textOf(record.said_at),
      speaker: textOf(record.speaker),
      text: erased ? null : textOf(record.text),
      caption: erased ? null : textOf(record.caption),
      erased,
    });
  }
  return turns;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
