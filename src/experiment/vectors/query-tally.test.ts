import { describe, expect, it } from 'vitest';
import { sampleRow } from '../../../test/support/observation-samples.js';
import type { Question } from '../../fixture/question.js';
import type { ArmSettings } from '../../matrix/matrix.js';
import { queryTextDigest } from '../../memory/query-preparation/query-identity.js';
import type { Observation } from '../asking/observation.js';
import { queryFates, queryTally } from './query-tally.js';

const arm = (name: string, strategy: string, more: Partial<ArmSettings> = {}): ArmSettings =>
  ({ name, retrieval: { strategy }, ...more }) as ArmSettings;
const ARMS = [
  arm('bm25', 'bm25'),
  arm('semantic', 'semantic'),
  arm('hybrid', 'hybrid'),
  arm('off', 'semantic', { query_preparation: 'off' }),
];
const question = (id: string): Question => ({ id, question: `${id}?`, asked_at: '2026-01-01T00:00:00', subjects: [] });
const QUESTIONS = ['q1', 'q2', 'q3', 'q4'].map(question);
const row = (name: string, id: string, lookup_miss: Observation['lookup_miss'], more: Partial<Observation> = {}) =>
  sampleRow({ arm: name, question: id, lookup_miss, effective_strategy: 'semantic', ...more });
/** q1 was prepared here; q2 failed for lack of time. */
const SOURCES = {
  sourceOf: (text: string) => ({
    source: text === queryTextDigest(question('q1')) ? ('prepared' as const) : ('pinned' as const),
    reason: text === queryTextDigest(question('q2')) ? 'deadline' : null,
  }),
};
const fatesOf = (rows: readonly Observation[], fixture = 'mill') => queryFates(fixture, ARMS, rows, QUESTIONS, SOURCES);
const ZERO = { withheld: {}, ineligible: {}, refused: {}, unprepared: {}, cache: {} };

describe('SQ-1 what became of the questions of a run', () => {
  it('SQ-1 each question counts once, however many arms and repeats asked it: prepared here, pinned before, or missed', () => {
    const rows = ['semantic', 'hybrid'].flatMap((name) => [
      row(name, 'q1', null),
      row(name, 'q1', null, { repeat: 2 }),
      row(name, 'q2', 'unprepared'),
      row(name, 'q3', null),
      row(name, 'q4', 'withheld:injection'),
    ]);
    expect(queryTally(fatesOf(rows))).toEqual({
      ...ZERO,
      queries: 4,
      prepared: 1,
      pinned: 1,
      withheld: { injection: 1 },
      unprepared: { deadline: 1 },
    });
  });

  it('SQ-1 SQ-2 arms that look nothing up, or are off, and rows that looked nothing up, are not counted', () => {
    const rows = [
      row('bm25', 'q1', null),
      row('off', 'q2', 'off'),
      row('semantic', 'q3', null, { effective_strategy: null }),
    ];
    expect(queryTally(fatesOf(rows))).toEqual({ ...ZERO, queries: 0, prepared: 0, pinned: 0 });
  });

  it('SQ-1 a question that missed in one row has missed, also where a later session or replicate had its vector', () => {
    const rows = [row('semantic', 'q1', null), row('hybrid', 'q1', 'refused:day'), row('hybrid', 'q3', 'evicted')];
    const missed = { ...ZERO, queries: 2, prepared: 0, pinned: 0, refused: { day: 1 }, cache: { evicted: 1 } };
    expect(queryTally(fatesOf(rows))).toEqual(missed);
    const second = fatesOf([row('semantic', 'q1', null), row('semantic', 'q3', null)]);
    expect(queryTally([...second, ...fatesOf(rows)])).toEqual(missed);
    expect(queryTally([...fatesOf(rows), ...second])).toEqual(missed);
  });

  it('SQ-1 questions of two fixtures are two, though their ids are one', () => {
    const rows = [row('semantic', 'q1', null)];
    expect(queryTally([...fatesOf(rows), ...fatesOf(rows, 'lake')]).queries).toBe(2);
  });
});
