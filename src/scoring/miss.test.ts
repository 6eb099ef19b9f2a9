import { describe, expect, it } from 'vitest';
import { type EvidencePath, missOf } from './miss.js';

const path = (evidence: readonly string[], more: Partial<EvidencePath> = {}): EvidencePath => ({
  label: { answerable: true, evidence },
  formed: { any: new Set(['a', 'b', 'c', 'd']), current: new Set(['a', 'b', 'c']) },
  retrieved: new Set(['a', 'b']),
  in_context: new Set(['a']),
  ...more,
});

describe('OB-6 a miss is told by the first stage that lost an evidence turn', () => {
  it.each([
    ['z', 'never-formed'],
    ['d', 'wrongly-superseded'],
    ['c', 'not-retrieved'],
    ['b', 'cut-from-context'],
  ])('%s: %s', (turn, cause) => {
    expect(missOf(path([turn]))).toEqual({ cause, turns: [turn] });
    // What came through does not hide what did not, and an earlier loss goes before a later one.
    expect(missOf(path(['a', turn, turn]))).toEqual({ cause, turns: [turn] });
  });

  it('names all the turns that the first stage lost, and no others', () => {
    expect(missOf(path(['b', 'c', 'z', 'y']))).toEqual({ cause: 'never-formed', turns: ['z', 'y'] });
    expect(missOf(path(['b', 'c', 'd']))).toEqual({ cause: 'wrongly-superseded', turns: ['d'] });
  });

  it('misread where all of it was in the context, and where what cannot be answered was answered', () => {
    expect(missOf(path(['a']))).toEqual({ cause: 'misread', turns: [] });
    expect(missOf(path(['z'], { label: { answerable: false, evidence: ['z'] } }))).toEqual({
      cause: 'misread',
      turns: [],
    });
  });

  it('turns are neither formed nor superseded: they are not retrieved', () => {
    expect(missOf(path(['z'], { formed: null }))).toEqual({ cause: 'not-retrieved', turns: ['z'] });
  });

  it('a superseded belief that was retrieved all the same lost nothing', () => {
    const reached = { retrieved: new Set(['d']), in_context: new Set(['d']) };
    expect(missOf(path(['d'], reached)).cause).toBe('misread');
  });

  it('is not told without evidence, or where another system answered', () => {
    expect(missOf(path([])).cause).toBe('untold');
    expect(missOf(path(['a'], { in_context: null })).cause).toBe('untold');
  });
});
