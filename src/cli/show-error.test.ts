import { describe, expect, it } from 'vitest';
import { bankRefused, InvalidInputErrors, invalidInput } from '../core/errors.js';
import { errorDocument, showError } from './show-error.js';

const located = invalidInput('MATRIX_KEY', 'there is no key `armz`', {
  location: { file: '/work/m/matrix.yaml', line: 3, column: 5 },
  remedy: 'write `arms`',
});

describe('MX-2 errors as people read them', () => {
  it('MX-2 place, code, message and remedy; a file below the working folder by its short path', () => {
    expect(showError(located, '/work/m')).toBe(
      'matrix.yaml:3:5: MATRIX_KEY: there is no key `armz`\n  remedy: write `arms`',
    );
    expect(showError(located, '/elsewhere')).toMatch(/^\/work\/m\/matrix\.yaml:3:5: /);
  });

  it('MX-2 every fault of several, each on lines of its own', () => {
    const both = new InvalidInputErrors([located, invalidInput('OTHER', 'second fault', { remedy: 'mend it' })]);
    expect(showError(both, '/work/m').split('\n')).toEqual([
      'matrix.yaml:3:5: MATRIX_KEY: there is no key `armz`',
      '  remedy: write `arms`',
      'OTHER: second fault',
      '  remedy: mend it',
    ]);
  });

  it('CL-2 anything else is a fault of this program, with its stack', () => {
    const shown = showError(new TypeError('x is not a function'), '/');
    expect(shown).toMatch(/^internal fault: TypeError: x is not a function\n {4}at /);
    expect(shown).toContain('please report it');
    expect(showError('thrown text', '/')).toContain('internal fault: thrown text');
  });

  it('RS-4 hostile text in a message, a file name or a stack cannot steer the terminal', () => {
    const hostile = '\u001b[2Jgone\u202e';
    const shown = [
      showError(bankRefused('X', hostile, { remedy: hostile }), '/'),
      showError(invalidInput('X', 'm', { location: { file: `/${hostile}`, line: 1 }, remedy: 'r' }), '/'),
      showError(new Error(hostile), '/'),
    ];
    for (const text of shown) {
      expect([...'\u001b\u202e'].some((character) => text.includes(character))).toBe(false);
      expect(text).toContain('\\u{1b}[2Jgone\\u{202e}');
    }
  });
});

describe('CL-4 errors as one JSON document', () => {
  it('CL-4 one entry a fault, with kind, code, place, remedy and details', () => {
    const bank = bankRefused('BANK_X', 'changed', { remedy: 'record anew', details: { bank: 'sha256:1' } });
    expect(errorDocument(new InvalidInputErrors([located]))).toEqual({
      format: 'error@1',
      resume: null,
      errors: [
        {
          kind: 'invalid-input',
          code: 'MATRIX_KEY',
          message: 'there is no key `armz`',
          remedy: 'write `arms`',
          location: { file: '/work/m/matrix.yaml', line: 3, column: 5 },
          details: {},
        },
      ],
    });
    expect(errorDocument(bank)).toMatchObject({
      errors: [{ kind: 'bank', remedy: 'record anew', location: null, details: { bank: 'sha256:1' } }],
    });
  });

  it('CL-2 what is not ours is internal', () => {
    expect(errorDocument(new Error('oops'))).toMatchObject({
      errors: [{ kind: 'internal', code: 'UNEXPECTED', message: 'oops' }],
    });
  });
});
