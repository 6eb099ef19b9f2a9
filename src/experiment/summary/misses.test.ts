import { describe, expect, it } from 'vitest';
import { failedRow, sampleRow } from '../../../test/support/observation-samples.js';
import type { Fixture } from '../../fixture/fixture.js';
import type { BeliefState } from '../../parity/parity.js';
import type { Observation } from '../asking/observation.js';
import type { Cell } from '../cell.js';
import { armMisses, missScorer } from './arm-misses.js';
import { formedEvidence, missTeller } from './misses.js';

const owner = { tenant: 't', principal: 'p' };
const turn = (id: string, version = 1) => ({ ...owner, id, version });
const belief = (id: string, visible_from: string) => ({ ...owner, id, visible_from });
const source = (belief_id: string, turn_id: string, turn_version = 1) => ({
  ...owner,
  belief_id,
  turn_id,
  turn_version,
});

/** b1 (of a) is retired by b2 (of b) from May on; b3 cites an old version of c; b4 (of d) is of June. */
const STATE: BeliefState = {
  format: 'belief-state@1',
  tables: {
    turn: [turn('a'), turn('b'), turn('c', 2), turn('d'), turn('e')],
    belief: [
      belief('b1', '2024-01-01T00:00:00'),
      belief('b2', '2024-05-01T00:00:00'),
      belief('b3', '2024-01-01T00:00:00'),
      belief('b4', '2024-06-01T00:00:00'),
    ],
    belief_source: [source('b1', 'a'), source('b2', 'b'), source('b3', 'c'), source('b4', 'd')],
    supersession: [{ ...owner, belief_id: 'b2', superseded_id: 'b1' }],
  },
};

describe('OB-6 the evidence that beliefs carry', () => {
  it('FX-7 RT-3 is what the store would show at that time: later beliefs, and what they retire, are not yet there; outdated citations count for nothing', () => {
    const formed = (present: string) => {
      const { any, current } = formedEvidence(STATE, present);
      return { any: [...any], current: [...current] };
    };
    expect(formed('2024-04-01T00:00:00')).toEqual({ any: ['a'], current: ['a'] });
    expect(formed('2024-05-01T00:00:00')).toEqual({ any: ['a', 'b'], current: ['b'] });
    expect(formed('2024-06-01T00:00:00')).toEqual({ any: ['a', 'b', 'd'], current: ['b', 'd'] });
  });
});

const FIXTURE = {
  questions: ['q1', 'q2'].map((id) => ({ id, asked_at: '2024-05-02T00:00:00' })),
  labels: new Map([
    ['q1', { answerable: true, evidence: ['a'] }],
    ['q2', { answerable: true, evidence: ['b'] }],
  ]),
} as unknown as Fixture;

const cell = (unit: string): Cell =>
  ({ arm: { retrieval: { unit, strategy: 'bm25' } }, state: { state: STATE } }) as unknown as Cell;
const item = (id: string, sources: string[], rank = 1) => ({ id, rank, score: 1, sources, tokens: 5 });
const wrong = (question: string, more: Partial<Observation> = {}) =>
  sampleRow({ question, scores: { 'token-f1': 0.2 }, ...more });

describe('OB-6 misses of a cell', () => {
  const tell = missTeller('token-f1', FIXTURE, cell('beliefs'));

  it('follow the evidence from the state to the context', () => {
    expect(tell(wrong('q1')).miss).toEqual({ cause: 'wrongly-superseded', turns: ['a'] });
    expect(tell(wrong('q2')).miss).toEqual({ cause: 'not-retrieved', turns: ['b'] });
    const retrieved = [item('b2', ['b'])];
    const context = (included: string[]) => ({
      ...(sampleRow().context as NonNullable<Observation['context']>),
      included,
    });
    expect(tell(wrong('q2', { retrieved, context: context([]) })).miss?.cause).toBe('cut-from-context');
    expect(tell(wrong('q2', { retrieved, context: context(['b2']) })).miss).toEqual({ cause: 'misread', turns: [] });
    expect(missTeller('token-f1', FIXTURE, cell('turns'))(wrong('q1')).miss?.cause).toBe('not-retrieved');
  });

  it('are told of answers that score below one half, and of no others', () => {
    expect(tell(sampleRow({ question: 'q1', scores: { 'token-f1': 0.5 } })).miss).toBeNull();
    expect(tell(sampleRow({ question: 'q1', scores: { 'token-f1': null } })).miss).toBeNull();
    expect(tell(failedRow(true, { question: 'q1' })).miss).toBeNull();
    expect(missTeller(null, FIXTURE, cell('beliefs'))(wrong('q1')).miss).toBeNull();
  });

  it('are counted by cause, over the answers that have the score', () => {
    const rows = [tell(wrong('q1')), tell(wrong('q2')), sampleRow(), failedRow(true)];
    expect(armMisses('token-f1', rows)).toMatchObject({
      scorer: 'token-f1',
      below: 0.5,
      n: 3,
      causes: { 'wrongly-superseded': 1, 'not-retrieved': 1, misread: 0 },
    });
    expect(armMisses(null, rows).n).toBe(0);
  });

  it('go by the primary score where it looks at answers, else by the first that does', () => {
    expect(missScorer({ primary: 'judge:kind' }, ['token-f1', 'judge:kind'])).toBe('judge:kind');
    expect(missScorer({ primary: 'mrr@5' }, ['mrr@5', 'coverage', 'contains'])).toBe('contains');
    expect(missScorer({ primary: 'coverage' }, ['coverage'])).toBeNull();
  });
});
