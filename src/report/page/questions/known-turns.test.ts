import { describe, expect, it } from 'vitest';
import type { HistoryEvent } from '../../../fixture/history.js';
import type { BeliefState } from '../../../parity/parity.js';
import { turnsOfHistory, turnsOfState } from './known-turns.js';

const at = '2024-01-02T10:00:00';
const turn = (id: string, text: string): HistoryEvent => ({
  kind: 'turn',
  id,
  session: 's1',
  at,
  speaker: 'Ilse',
  text,
  caption: 'a boat',
  sensitivity: 'internal',
});

describe('FX-2 RP-5 turns as the report shows them', () => {
  it('FX-2 what was corrected has its last text, and what was erased has none, whatever came after', () => {
    const turns = turnsOfHistory([
      turn('t:1', 'said'),
      turn('t:2', 'wrong'),
      turn('t:3', 'secret'),
      { kind: 'correction', id: 'c1', of: 't:2', at, text: 'right' },
      { kind: 'erasure', id: 'e1', of: 't:3', at },
      { kind: 'correction', id: 'c2', of: 't:3', at, text: 'secret again' },
    ]);
    expect(turns.get('t:1')).toMatchObject({ text: 'said', caption: 'a boat', erased: false });
    expect(turns.get('t:2')).toMatchObject({ text: 'right' });
    expect(turns.get('t:3')).toMatchObject({ text: null, caption: null, erased: true });
    expect(JSON.stringify([...turns])).not.toContain('secret');
  });

  it('FX-2 so it is with the turns of a run folder', () => {
    const record = {
      id: 't:3',
      erased: true,
      session: 's1',
      said_at: at,
      speaker: 'Ilse',
      text: 'secret',
      caption: 'a',
    };
    const state: BeliefState = {
      format: 'belief-state@1',
      tables: { turn: [record, { ...record, id: 't:4', erased: false }] },
    };
    const turns = turnsOfState(state);
    expect(turns.get('t:3')).toMatchObject({ text: null, caption: null, erased: true, speaker: 'Ilse' });
    expect(turns.get('t:4')).toMatchObject({ text: 'secret', erased: false });
  });
});
