import { expect, test } from 'vitest';
import { turn } from '../../../test/support/scripted-formation.js';
import type { CurrentBelief, StoredTurn } from '../beliefs/belief-store.js';
import { chooseByOverlap } from './belief-choice.js';
import { formationPolicy } from './policies.js';

const belief = (id: string, statement: string, subjects: string[] = []): CurrentBelief => ({
  id,
  statement,
  subjects,
  observed_at: '2024-01-01',
});
const said = (speaker: string, text: string, caption: string | null = null): StoredTurn => {
  const { kind: _kind, ...stored } = turn('s1:1', speaker, text, { caption });
  return { ...stored, version: 1 };
};
const chosen = (beliefs: readonly CurrentBelief[], limit: number, ...turns: StoredTurn[]): string[] =>
  chooseByOverlap(beliefs, turns, limit).map(({ id }) => id);

test('FB-4 all beliefs are shown while they fit, in store order', () => {
  expect(chosen([belief('b1', 'x'), belief('b2', 'y')], 2, said('Ada', 'nothing shared'))).toEqual(['b1', 'b2']);
});

test('FB-4 beliefs that share content words with texts, captions or speakers are chosen, function words do not count', () => {
  const beliefs = [
    belief('words', 'Tea kettles WHISTLE.'),
    belief('function', 'They have been there with them.'),
    belief('caption', 'A bicycle was bought.'),
    belief('none', 'Cats purr.'),
  ];
  const turns = [said('Ada', 'They have been there with them; the whistle broke.', 'a red bicycle')];
  expect(chosen(beliefs, 2, ...turns)).toEqual(['words', 'caption']);
});

test('FB-4 a subject that is named or speaks weighs as two words; among equals the later is chosen; store order is kept', () => {
  const beliefs = [
    belief('first', 'Owns a boat.'),
    belief('named', 'Likes soup.', ['Mary Ann']),
    belief('second', 'Paints a boat.'),
    belief('half', 'Likes rain.', ['Mary Jo']),
  ];
  const turns = [said('Mary', 'Ann has a boat.')];
  expect(chosen(beliefs, 1, ...turns)).toEqual(['named']);
  expect(chosen(beliefs, 2, ...turns)).toEqual(['named', 'second']);
  expect(chosen(beliefs, 3, ...turns)).toEqual(['first', 'named', 'second']);
});

test('FB-4 facts@1 shows at most 48 beliefs', async () => {
  const many = Array.from({ length: 60 }, (_, index) => belief(`b${index}`, 'same words'));
  const shown = await formationPolicy('facts@1').chooseBeliefs(many, [said('Ada', 'other')]);
  expect(shown.map(({ id }) => id)).toEqual(many.slice(12).map(({ id }) => id));
});
