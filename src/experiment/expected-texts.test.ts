import { describe, expect, it } from 'vitest';
import type { BeliefState } from '../parity/parity.js';
import { expectedTexts } from './expected-texts.js';

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

describe('PF texts that will be embedded', () => {
  it('are the statements that may be recalled, and the turns as they are indexed', () => {
    expect(expectedTexts(STATE, new Set(['beliefs']))).toEqual(['Ann greets.', 'Ben shows a dog.']);
    expect(expectedTexts(STATE, new Set(['turns']))).toEqual(['Ann: Hello.', 'Ben: Look. [image: a dog]']);
    expect(expectedTexts(STATE, new Set())).toEqual([]);
  });
});
