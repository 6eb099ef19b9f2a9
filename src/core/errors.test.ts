import { describe, expect, it } from 'vitest';
import {
  EXIT_CODES,
  firstKind,
  InvalidInputErrors,
  internalFault,
  interrupted,
  invalidInput,
  kindOf,
  RecallMatrixError,
} from './errors.js';

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
    expect(kindOf(invalidInput('X', 'x', { remedy: 'r' }))).toBe('invalid-input');
  });
});

describe('remedies', () => {
  it('CL-2 every kind that a user can meet says what to do: the type demands it', () => {
    // @ts-expect-error wrong input without a remedy
    invalidInput('X', 'x', {});
    // @ts-expect-error a provider's failure without a remedy
    new RecallMatrixError({ kind: 'provider', code: 'X', message: 'x' });
    expect(internalFault('X', 'x').remedy).toBeUndefined();
    expect(interrupted('stopped').remedy).toContain('give the command again');
    expect(new InvalidInputErrors([]).remedy).toBe('mend each of the faults');
  });

  it('MX-2 the same fault said of another place keeps what it is and what to do', () => {
    const cause = new Error('why');
    const fault = invalidInput('X', 'x', { remedy: 'r', details: { n: 1 }, location: { file: 'a' }, cause });
    const moved = fault.at({ file: 'b', line: 2 });
    expect(moved).toMatchObject({
      kind: 'invalid-input',
      code: 'X',
      message: 'x',
      remedy: 'r',
      details: { n: 1 },
      cause,
    });
    expect(moved.location).toEqual({ file: 'b', line: 2 });
  });
});
