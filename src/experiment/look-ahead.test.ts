import { describe, expect, it } from 'vitest';
import { LookAhead } from './look-ahead.js';

describe('FX-4 look-ahead of one', () => {
  it('loads each item once, one ahead of the one that is worked on', async () => {
    const begun: string[] = [];
    const ahead = new LookAhead(['a', 'b', 'c'], async (item) => {
      begun.push(item);
      return item.toUpperCase();
    });
    expect(await ahead.take('a')).toBe('A');
    expect(begun).toEqual(['a', 'b']);
    expect(await ahead.take('b')).toBe('B');
    expect(begun).toEqual(['a', 'b', 'c']);
    expect(await ahead.take('c')).toBe('C');
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it('an item that fails fails when it is due, and the next can be had', async () => {
    const ahead = new LookAhead(['a', 'b', 'c'], async (item) => {
      if (item === 'b') throw new Error('no b');
      return item;
    });
    expect(await ahead.take('a')).toBe('a');
    await expect(ahead.take('b')).rejects.toThrow('no b');
    expect(await ahead.take('c')).toBe('c');
  });

  it('an item that was passed over is loaded when it is asked for', async () => {
    const ahead = new LookAhead(['a', 'b', 'c'], async (item) => item);
    expect(await ahead.take('c')).toBe('c');
    expect(await ahead.take('a')).toBe('a');
  });
});
