import { expect, test } from 'vitest';
import { nltkStem } from './nltk-stem.js';

// Literals from NLTK 3.10.3, PorterStemmer() in its default mode.
const NLTK: readonly (readonly [string, string])[] = [
  ['dying', 'die'],
  ['sky', 'sky'],
  ['skies', 'sky'],
  ['news', 'news'],
  ['innings', 'inning'],
  ['proceed', 'proceed'],
  ['as', 'as'],
  ['us', 'us'],
  ['is', 'is'],
  ['dies', 'die'],
  ['died', 'die'],
  ['flies', 'fli'],
  ['spied', 'spi'],
  ['caresses', 'caress'],
  ['feed', 'feed'],
  ['agreed', 'agre'],
  ['hopping', 'hop'],
  ['hoping', 'hope'],
  ['falling', 'fall'],
  ['enjoy', 'enjoy'],
  ['enjoyment', 'enjoy'],
  ['happy', 'happi'],
  ['fly', 'fli'],
  ['by', 'by'],
  ['sensibli', 'sensibl'],
  ['geology', 'geolog'],
  ['theology', 'theolog'],
  ['carefully', 'care'],
  ['relational', 'relat'],
  ['rationally', 'ration'],
  ['adoption', 'adopt'],
  ['replacement', 'replac'],
  ['controlling', 'control'],
  ['are', 'are'],
  ['owed', 'owe'],
  ['Paintings', 'paint'],
  ['2023', '2023'],
  ['cafés', 'café'],
];

test.each(NLTK)('OB-6 %s has NLTK stem %s', (word, stem) => {
  expect(nltkStem(word)).toBe(stem);
});

test('OB-6 an empty word stays empty', () => {
  expect(nltkStem('')).toBe('');
});
