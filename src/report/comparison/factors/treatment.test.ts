import { describe, expect, it } from 'vitest';
import { FACTOR_KINDS, FACTOR_NAMES, type FactorName } from './factor-names.js';
import { treatmentOf } from './treatment.js';

const found = (...names: FactorName[]) =>
  names.map((factor) => ({ factor, fixture: null, arm: null, base: 'one', head: 'other' }));
const divided = (names: FactorName[], stated: string[] = []) => {
  const { treatment, is_assumed, confounders, measures, factors } = treatmentOf(found(...names), stated);
  const meant = factors.filter(({ is_treatment }) => is_treatment).map(({ factor }) => factor);
  return { treatment, is_assumed, confounders, measures, meant };
};

describe('RP-2 the treatment, and what confounds it', () => {
  it('one thing that differs is taken to be the treatment, with what follows from it', () => {
    expect(divided(['reader'])).toMatchObject({ treatment: ['reader'], is_assumed: true, confounders: [] });
    expect(divided(['bank', 'formation', 'state', 'vector-bank'])).toMatchObject({
      ...{ treatment: ['formation'], confounders: [] },
      meant: ['formation', 'bank', 'state', 'vector-bank'],
    });
    expect(divided(['reader', 'reported-models', 'prices'])).toMatchObject({
      ...{ treatment: ['reader'], confounders: [] },
      meant: ['reader', 'reported-models'],
    });
    expect(divided([])).toMatchObject({ treatment: [], is_assumed: false, confounders: [] });
  });

  it('two are confounded, unless both are stated', () => {
    expect(divided(['reader', 'prompt'])).toMatchObject({
      treatment: [],
      confounders: ['reader', 'prompt'],
      meant: [],
    });
    expect(divided(['reader', 'prompt'], ['reader'])).toMatchObject({ treatment: ['reader'], confounders: ['prompt'] });
    expect(divided(['reader', 'prompt'], ['prompt', 'reader'])).toMatchObject({ confounders: [] });
  });

  it('what was stated does not cover what it follows from', () => {
    expect(divided(['formation', 'bank'], ['bank'])).toMatchObject({ treatment: ['bank'], confounders: ['formation'] });
    expect(divided(['arm', 'bank', 'vector-bank'], ['arm'])).toMatchObject({ confounders: ['bank'] });
    // What follows from a confounder is not one more of them.
    expect(divided(['bank', 'state', 'reader'])).toMatchObject({ confounders: ['bank', 'reader'] });
  });

  it('a ruler is never taken to be the treatment by itself, and may be stated to be', () => {
    for (const ruler of ['labels', 'scorers', 'judge'] as const) {
      expect(divided([ruler])).toMatchObject({ treatment: [], confounders: [ruler], measures: [ruler] });
      expect(divided([ruler], [ruler])).toMatchObject({ treatment: [ruler], confounders: [], measures: [] });
    }
  });

  it('prices change no score, and confound none', () => {
    expect(divided(['prices'])).toMatchObject({ treatment: [], confounders: [] });
    expect(divided(['prices', 'prompt'])).toMatchObject({ treatment: ['prompt'], confounders: [] });
  });

  it('what is stated and does not differ is told, and what is nothing is refused', () => {
    expect(treatmentOf(found('prompt'), ['reader'])).toMatchObject({ idle: ['reader'], confounders: ['prompt'] });
    expect(() => treatmentOf([], ['colour'])).toThrowError(
      expect.objectContaining({
        code: 'COMPARE_UNKNOWN_TREATMENT',
        exitCode: 2,
        remedy: expect.stringContaining('reader, prompt'),
      }),
    );
  });

  it('whatever differs and whatever is stated, each factor is treatment, confounder, scoreless, or follows from another', () => {
    for (const name of FACTOR_NAMES)
      for (const other of FACTOR_NAMES)
        for (const stated of FACTOR_NAMES) {
          const { meant, confounders } = divided([...new Set([name, other])], [stated]);
          const isTold = (one: FactorName): boolean => meant.includes(one) || confounders.includes(one);
          const isSmall = (one: FactorName, two: FactorName): boolean =>
            FACTOR_KINDS[one].scoreless === true || FACTOR_KINDS[one].follows.includes(two);
          expect(isTold(name) || isSmall(name, other), `${name} ${other} ${stated}`).toBe(true);
        }
  });
});
