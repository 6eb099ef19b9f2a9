import { describe, expect, it } from 'vitest';
import { shellWord } from '../core/shell-word.js';
import { brokenJournal } from './pending-journal.js';
import { brokenVectorJournal } from './pending-vectors-format.js';

describe('CL-2 FB-9 VB-2 commands that a refused recording names', () => {
  it.each([
    ['of formation', (path: string) => brokenJournal(path, new Error('no JSON'))],
    ['of vectors', (path: string) => brokenVectorJournal(path, 'line 2: no JSON', null)],
  ])('can be pasted as they stand, %s, whatever the folder is called', (_of, refusal) => {
    const path = "/home/Ada's files/banks/harbour.pending.jsonl";
    expect(refusal(path).remedy).toContain(`bank abandon ${shellWord(path)} --reason`);
    expect(shellWord(path)).toBe(`'/home/Ada'\\''s files/banks/harbour.pending.jsonl'`);
  });
});
