import { describe, expect, it } from 'vitest';
import type { Digest } from '../core/digest.js';
import { asksOf, scopeOf } from './question-scope.js';

const CORPUS: Digest = `sha256:${'c'.repeat(64)}`;

describe('what a question shows', () => {
  it.each([
    ['Who moved to Lisbon?', 'who'],
    ['Whose boat was it?', 'who'],
    ['When did Ines move?', 'when'],
    ['In which town does Rosa live?', 'which'],
    ['What did Ana do when she came back?', 'what'],
    ['How many boats are there?', 'how-many'],
    ['For how much did she sell it?', 'how-many'],
    ['How did they meet?', 'how'],
    ["Where's the harbour?", 'where'],
    ['WHY did he leave?', 'why'],
    ['Did Ana say when she would come?', 'yes-no'],
    ['Name the town that she lives in.', 'other'],
    ['Onde mora a Rosa?', 'other'],
    ['', 'other'],
  ] as const)('LE-6 %s asks %s', (question, asks) => {
    expect(asksOf(question)).toBe(asks);
  });

  it('LE-6 a scope holds the corpus, the subjects sorted and each once, and what is asked: nothing else of the question', () => {
    const question = { id: 'q1', question: 'When did Rosa meet Ines?', asked_at: '2026-03-01T00:00:00' as never };
    expect(scopeOf(CORPUS, { ...question, subjects: ['Rosa', 'Ines', 'Rosa', 'Émile'] })).toEqual({
      corpus: CORPUS,
      subjects: ['Ines', 'Rosa', 'Émile'],
      asks: 'when',
    });
  });
});
