import { describe, expect, it } from 'vitest';
import { terminalJson, terminalLine, terminalText } from './terminal-text.js';

describe('terminal text', () => {
  it('RS-4 nothing in it can steer a terminal or reorder a line', () => {
    expect(terminalText('a\u001b[2Jb\u0007c\u202ed\u009be')).toBe('a\\u{1b}[2Jb\\u{7}c\\u{202e}d\\u{9b}e');
    expect(terminalText('line\n\ttab – é 漢 😀')).toBe('line\n\ttab – é 漢 😀');
  });

  it('RS-4 a line is folded and cut whole characters at a time', () => {
    expect(terminalLine(' a\n b\t c ')).toBe('a b c');
    expect(terminalLine('😀😀😀😀', 3)).toBe('😀😀…');
  });

  it('RS-4 CL-4 JSON shows no control character, and means the same', () => {
    const hostile = { '\u009b2J': ['\u202egone\u001b[2J\n', '\ufeff\u2028', 'plain – ж 🜁'] };
    const text = terminalJson(hostile);
    expect(JSON.parse(text)).toEqual(hostile);
    for (const steering of ['\u001b', '\u009b', '\u202e', '\u2028', '\ufeff']) expect(text).not.toContain(steering);
    expect(text).toContain('plain – ж 🜁');
  });
});
