import { describe, expect, it } from 'vitest';
import { paintFor } from './colours.js';

const TERMINAL = { isTTY: true };

describe('CL-1 colours', () => {
  it('CL-1 are for a terminal alone; a file or a pipe has none', () => {
    expect(paintFor(TERMINAL, { TERM: 'xterm' }).good('yes')).toBe('\u001b[32myes\u001b[39m');
    expect(paintFor({}, { TERM: 'xterm' }).good('yes')).toBe('yes');
    expect(paintFor(TERMINAL, { TERM: 'dumb' }).good('yes')).toBe('yes');
  });

  it('CL-1 NO_COLOR takes them away, whatever its value; an empty one is none; FORCE_COLOR gives them elsewhere', () => {
    const isPainted = (stream: object, environment: Record<string, string>): boolean =>
      paintFor(stream, environment).warn('x') !== 'x';
    expect(isPainted(TERMINAL, { NO_COLOR: '0' })).toBe(false);
    expect(isPainted(TERMINAL, { NO_COLOR: '' })).toBe(true);
    expect(isPainted({}, { FORCE_COLOR: '1' })).toBe(true);
    expect(isPainted(TERMINAL, { FORCE_COLOR: '0' })).toBe(false);
    expect(isPainted(TERMINAL, { FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(false);
  });
});
