import { describe, expect, it } from 'vitest';
import { EXIT_CODES, firstKind, invalidInput, kindOf } from './errors.js';

describe('exit codes', () => {
  it('CL-2 every kind has the code of the requirement', () => {
    expect(EXIT_CODES).toEqual({
      internal: 1,
      'invalid-input': 2,
      difference: 3,
      budget: 4,
      bank: 5,
      parity: 6,
      provider: 7,
      database: 8,
      interrupted: 130,
    });
  });

  it('CL-2 with several, the first kind in the order 1, 5, 6, 4, 7, 8', () => {
    const order = ['internal', 'bank', 'parity', 'budget', 'provider', 'database'] as const;
    for (const [index, kind] of order.entries()) expect(firstKind([...order.slice(index)].reverse())).toBe(kind);
    expect(firstKind([])).toBeNull();
  });

  it('CL-2 what is not ours is a fault of this program', () => {
    expect(kindOf(new TypeError('x'))).toBe('internal');
    expect(kindOf(invalidInput('X', 'x'))).toBe('invalid-input');
  });
});
