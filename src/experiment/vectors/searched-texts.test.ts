import { describe, expect, it } from 'vitest';
import type { HistoryEvent } from '../../fixture/history.js';
import type { BeliefState } from '../../parity/parity.js';
import { beliefTexts, turnTexts } from './searched-texts.js';

const OWNER = { tenant: 't', principal: 'p' };

const STATE: BeliefState = {
  format: 'belief-state@1',
  tables: {
    turn: [
      { ...OWNER, id: 'a', version: 1, erased: false, speaker: 'Ann', text: 'Hello.', caption: null },
      { ...OWNER, id: 'b', version: 2, erased: false, speaker: 'Ben', text: 'Look.', caption: 'a dog' },
      { ...OWNER, id: 'c', version: 1, erased: true, speaker: 'Ann', text: null, caption: null },
    ],
    belief: [
      { ...OWNER, id: '1', statement: 'Ann greets.' },
      { ...OWNER, id: '2', statement: 'Withheld: its turn was corrected.' },
      { ...OWNER, id: '3', statement: 'Ben shows a dog.' },
    ],
    belief_source: [
      { ...OWNER, belief_id: '1', turn_id: 'a', turn_version: 1 },
      { ...OWNER, belief_id: '2', turn_id: 'a', turn_version: 1 },
      { ...OWNER, belief_id: '2', turn_id: 'b', turn_version: 1 },
      { ...OWNER, belief_id: '3', turn_id: 'b', turn_version: 2 },
    ],
  },
};

const turn = (id: string, speaker: string, text: string, caption: string | null = null): HistoryEvent => ({
  kind: 'turn',
  id,
  session: 's',
  at: '2025-01-01T00:00:00',
  speaker,
  text,
  caption,
  sensitivity: 'public',
});
const AT = '2025-02-01T00:00:00';

describe('VB-1 texts that are searched', () => {
  it('VB-1 are the statements that may be recalled', () => {
    expect(beliefTexts(STATE)).toEqual(['Ann greets.', 'Ben shows a dog.']);
  });

  it('VB-1 are the turns as they are indexed: corrected in their place, with the caption, without what was erased', () => {
    const history: HistoryEvent[] = [
      turn('a', 'Ann', 'Hello.'),
      turn('b', 'Ben', 'Lok.', 'a dog'),
      turn('c', 'Ann', 'Secret.'),
      { kind: 'correction', id: 'x', of: 'b', at: AT, text: 'Look.' },
      { kind: 'erasure', id: 'y', of: 'c', at: AT },
      turn('d', 'Ben', '', 'a cat'),
    ];
    expect(turnTexts(history)).toEqual(['Ann: Hello.', 'Ben: Look. [image: a dog]', 'Ben:  [image: a cat]']);
  });
});
