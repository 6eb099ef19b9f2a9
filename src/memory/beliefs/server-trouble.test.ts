import { expect, it } from 'vitest';
import { refusalState } from './server-trouble.js';

it.each(['23505', '42P01', '22P02'])('PG-3 %s is what a sound server says of a statement', (code) => {
  expect(refusalState(Object.assign(new Error('no'), { code }))).toBe(code);
});

it.each(['08006', '53200', '57P01', '58030', 'ECONNRESET', undefined])(
  'PG-3 %s is the server’s own trouble',
  (code) => {
    expect(refusalState(Object.assign(new Error('no'), { code }))).toBeNull();
  },
);
