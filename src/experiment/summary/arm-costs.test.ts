import { describe, expect, it } from 'vitest';
import { sampleRow } from '../../../test/support/observation-samples.js';
import { armCosts } from './arm-costs.js';

function rows(count: number, parts: { formation?: number | null; index?: number; query?: number; reader: number }) {
  const stage = (nano_usd: number | null = 0) => ({ usage: null, nano_usd });
  const { formation, index, query, reader } = parts;
  return Array.from({ length: count }, () =>
    sampleRow({
      attributed: {
        formation: stage(formation),
        index: stage(index),
        query: stage(query),
        reader: stage(reader),
        nano_usd: null,
      },
    }),
  );
}

describe('OB-2 what an arm costs, once and for each question', () => {
  it('OB-2 fixed is formation and index, marginal is query and reader, rounded up', () => {
    const costs = armCosts(
      [
        ...rows(2, { formation: 10, index: 2, query: 1, reader: 4 }),
        ...rows(1, { formation: 9, index: 2, query: 1, reader: 5 }),
      ],
      null,
    );
    expect(costs).toEqual({ fixed_nano_usd: 35, marginal_nano_usd: 6, break_even_questions: null });
  });

  it('OB-2 breaks even with full-history where the saving has paid for formation', () => {
    const fullHistory = rows(10, { reader: 100 });
    // 1,000 to form, 90 saved a question: 11.1 questions.
    expect(armCosts(rows(10, { formation: 100, reader: 10 }), fullHistory).break_even_questions).toBe(12);
    // Exactly 10 questions.
    expect(armCosts(rows(10, { formation: 90, reader: 10 }), fullHistory).break_even_questions).toBe(10);
    expect(armCosts(rows(10, { formation: 100, reader: 100 }), fullHistory).break_even_questions).toBeNull();
    expect(armCosts(rows(10, { formation: 0, reader: 10 }), fullHistory).break_even_questions).toBe(1);
    expect(armCosts(fullHistory, fullHistory).break_even_questions).toBe(1);
  });

  it('OB-2 unpriced is null, never 0', () => {
    expect(armCosts(rows(2, { formation: null, reader: 4 }), null)).toEqual({
      fixed_nano_usd: null,
      marginal_nano_usd: null,
      break_even_questions: null,
    });
    expect(armCosts([], null).fixed_nano_usd).toBeNull();
  });
});
