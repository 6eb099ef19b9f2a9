import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadLanguage } from '../language/resources.js';
import { ExtractiveReader } from './reader.js';

let reader: ExtractiveReader;
beforeAll(async () => {
  reader = new ExtractiveReader(await loadLanguage((path) => readFile(path)));
}, 60_000);

const ask = (question: string, queries: readonly string[], left: number, context: readonly string[] = []) =>
  reader.read({
    context,
    present: '2025-12-01T00:00:00',
    question,
    searches: queries.map((query) => ({ query, subjects: [], new_lines: 0 })),
    searches_left: left,
  });

describe('RT-8 the local reader searches', () => {
  it('RT-8 PR-1 by a fixed plan: the question’s content words, its names with other words for its things, its names alone', () => {
    const queries: string[] = [];
    for (let left = 3; left > 0; left -= 1) {
      const { search, abstains, answer } = ask('Does Petra own a car?', queries, left);
      expect({ abstains, answer }).toEqual({ abstains: false, answer: '' });
      expect(search?.subjects).toEqual(['Petra']);
      queries.push(search?.query ?? '');
    }
    expect(queries).toEqual(['Petra car', 'Petra auto automobile machine motorcar', 'Petra']);
    expect(ask('Does Petra own a car?', queries, 0)).toEqual({ abstains: true, answer: '' });
  });

  it('RT-8 not once its context holds the answer, nor for what it has searched already', () => {
    const line = '[2025-06-01 10:00] Petra: The car belongs to Mrs Quill.';
    expect(ask('Whose car does Petra drive?', ['Petra drive car'], 2, [line])).toEqual({
      abstains: false,
      answer: 'Mrs Quill',
      search: null,
    });
    // A question without a name or a thing has one search, and one without content none.
    expect(ask('Who sang?', ['sang'], 2)).toEqual({ abstains: true, answer: '', search: null });
    expect(ask('Who is it?', [], 3)).toEqual({ abstains: true, answer: '', search: null });
  });

  it('RT-8 is not offered one: it answers as ever', () => {
    expect(reader.read({ context: [], present: '', question: 'Does Petra own a car?' })).toEqual({
      abstains: true,
      answer: '',
    });
  });
});
