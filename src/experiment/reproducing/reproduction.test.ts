import { describe, expect, it } from 'vitest';
import { sampleRow } from '../../../test/support/observation-samples.js';
import { digestText } from '../../core/digest.js';
import type { Observation } from '../asking/observation.js';
import { compareRows, pastRowOf } from './reproduction.js';
import { retrievalDigest } from './retrieval-digest.js';

const item = (id: string, rank: number, score: number | null = null): Observation['retrieved'][number] => ({
  id,
  rank,
  score,
  sources: [`${id}-turn`],
  tokens: 5,
});
const row = (changes: Partial<Observation> = {}): Observation =>
  sampleRow({ retrieved: [item('a', 1, 0.5), item('b', 2, 0.25)], ...changes });

describe('RP-1 the digest of a retrieval', () => {
  it('RP-1 binds ids, order, sources, the strategy in effect and the miss; no score, no token count', () => {
    const digest = retrievalDigest(row());
    expect(retrievalDigest(row({ retrieved: [item('a', 1, 0.5000001), item('b', 2, 0.1)] }))).toBe(digest);
    const others: Partial<Observation>[] = [
      { retrieved: [item('b', 1), item('a', 2)] },
      { retrieved: [item('a', 1)] },
      { retrieved: [item('a', 1), { ...item('b', 2), sources: ['c-turn'] }] },
      { effective_strategy: 'full-text' },
      { lookup_miss: 'evicted' },
    ];
    const digests = others.map((changes) => retrievalDigest(row(changes)));
    expect(new Set([digest, ...digests]).size).toBe(others.length + 1);
  });
});

describe('RP-1 comparing rows with their past', () => {
  it('RP-1 counts what is equal by question and repeat, and names each difference with its field', () => {
    const past = [
      row(),
      row({ question: 'q2', position: 1 }),
      row({ question: 'q2', repeat: 2, position: 2 }),
      row({ question: 'q3', position: 3 }),
    ].map(pastRowOf);
    const other = digestText('other');
    const now = [
      row({ question: 'q2', repeat: 2, answer: 'Quay', position: 0 }),
      row({ retrieved: [item('a', 1), item('c', 2)] }),
      row({ question: 'q2', context: { tokens: 1, digest: other, included: [], left_out: [] } }),
    ];
    expect(compareRows(past, now, true)).toEqual({
      retrieval: { compared: 3, equal: 2 },
      context: { compared: 3, equal: 2 },
      answers: { compared: 3, equal: 2 },
      differences: [
        { question: 'q2', repeat: 2, field: 'answer', expected: '"Harbour Lane"', found: '"Quay"' },
        {
          question: 'q1',
          repeat: 1,
          field: 'retrieval',
          expected: 'rank 2: b from b-turn',
          found: 'rank 2: c from c-turn',
        },
        { question: 'q2', repeat: 1, field: 'context', expected: row().context?.digest, found: other },
      ],
      missing: 1,
      unreplayed: 0,
    });
  });

  it('RP-1 names an item too many, another strategy, an abstention; digests where no row is known', () => {
    const compare = (before: Observation, now: Observation) => {
      const { differences } = compareRows([pastRowOf(before)], [now], true);
      return differences.map(({ field, expected, found }) => [field, expected, found]);
    };
    expect(compare(row(), row({ retrieved: [item('a', 1)] }))).toEqual([
      ['retrieval', 'rank 2: b from b-turn', 'rank 2: nothing'],
    ]);
    expect(compare(row(), row({ effective_strategy: 'full-text', lookup_miss: 'expired' }))).toEqual([
      ['retrieval', 'bm25', 'full-text (expired)'],
    ]);
    expect(compare(row(), row({ answer: '', abstained: true }))).toEqual([['answer', '"Harbour Lane"', '(abstains)']]);
    const changed = row({ retrieved: [item('z', 1)] });
    const { differences } = compareRows([{ ...pastRowOf(row()), row: null }], [changed], true);
    expect(differences).toMatchObject([{ expected: retrievalDigest(row()), found: retrievalDigest(changed) }]);
  });

  it('RP-1 compares no answer where that is not asked for or one is missing, and nothing of a row without a context', () => {
    const failed = row({ outcome: { kind: 'failed', cause: null }, answer: null });
    expect(compareRows([pastRowOf(row())], [failed], true)).toMatchObject({
      context: { compared: 1, equal: 1 },
      answers: { compared: 0 },
    });
    expect(compareRows([pastRowOf(row())], [row({ answer: 'Quay' })], false)).toMatchObject({
      answers: { compared: 0 },
      differences: [],
    });
    expect(compareRows([pastRowOf(row())], [row({ context: null, retrieved: [] })], true)).toMatchObject({
      retrieval: { compared: 0 },
      differences: [],
      missing: 0,
    });
  });

  it('RP-1 RT-8 a deliberate row whose reader cannot be asked again is not compared; one that can, and finds otherwise, differs', () => {
    const search = {
      query: 'bakery',
      subjects: [],
      effective_strategy: 'bm25' as const,
      lookup_miss: null,
      retrieved: ['b1'],
      new_lines: 1,
      request: sampleRow().request as string,
    };
    const then = sampleRow({ recall: 'deliberate', searches: [search] });
    const now = { ...then, searches: [{ ...search, retrieved: ['b2'] }] };
    const compared = (isReplayed: () => boolean, row: Observation = now) =>
      compareRows([pastRowOf(then)], [row], true, isReplayed);
    expect(compared(() => true).differences).toMatchObject([{ field: 'retrieval' }]);
    expect(compared(() => true, then)).toMatchObject({ retrieval: { compared: 1, equal: 1 }, unreplayed: 0 });
    expect(compared(() => false)).toMatchObject({
      retrieval: { compared: 0 },
      answers: { compared: 0 },
      differences: [],
      unreplayed: 1,
    });
    // Of a row that recalled on its question all but the answer is compared.
    const automatic = { ...sampleRow(), answer: 'Quay' };
    expect(compareRows([pastRowOf(sampleRow())], [automatic], true, () => false)).toMatchObject({
      retrieval: { compared: 1, equal: 1 },
      answers: { compared: 0 },
      differences: [],
    });
  });
});
