import { describe, expect, it } from 'vitest';
import { SAMPLE_CAUSE, SAMPLE_DIGEST, sampleRow } from '../../../test/support/observation-samples.js';
import type { Fixture } from '../../fixture/fixture.js';
import type { Label } from '../../fixture/label.js';
import type { Strategy } from '../../memory/memory.js';
import type { MeteredCall } from '../../provider/metered.js';
import type { Usage } from '../../provider/usage.js';
import { scorersFor } from '../../scoring/scorers.js';
import type { Cell } from '../cell.js';
import { type Asked, notAsked } from './asked.js';
import { CallAccount } from './call-account.js';
import { observationSchema } from './observation.js';
import type { Outcome } from './outcome.js';
import { laySharedCosts, makeRow, type RowContext } from './row.js';

const usage: Usage = { input_uncached: 100, cache_read: 0, cache_write: 0, output: 7, reasoning: 2 };
const label: Label = {
  question_id: 'q1',
  category: 'single-hop',
  answerable: true,
  expected: ['Harbour Lane'],
  evidence: ['t1', 't2'],
};
const shared: RowContext = {
  run: 'run-1',
  matrix: SAMPLE_DIGEST,
  fixture: {
    manifest: { id: 'harbour' },
    corpus: SAMPLE_DIGEST,
    labels: new Map([['q1', label]]),
  } as unknown as Fixture,
  replicate: 1,
  bank: SAMPLE_DIGEST,
  load: SAMPLE_DIGEST,
  labels: SAMPLE_DIGEST,
  prompt: { name: 'short-answer', text: 'Answer.', digest: SAMPLE_DIGEST },
  scorers: scorersFor(['exact-match', 'evidence-recall@1', 'coverage']),
};
const task = { position: 3, question: 'q1', repeat: 1, arm: 'arm' };

function cell(strategy: Strategy, unit: 'beliefs' | 'turns' = 'beliefs', usesVectors = false): Cell {
  return {
    arm: { name: 'arm', reference: false, retrieval: { strategy, unit, mode: 'standard' } },
    parity: 'equal',
    state: { digest: SAMPLE_DIGEST },
    replayed_calls: 12,
    uses_vectors: usesVectors,
    vector_bank: null,
  } as unknown as Cell;
}

function call(changes: Partial<MeteredCall> = {}): MeteredCall {
  return {
    attribution: { arm: 'arm', stage: 'reader', fixture: 'harbour', unit: 'q1' },
    is_send: true,
    usage,
    reserved_nano_usd: 500n,
    actual_nano_usd: 90n,
    attributed_nano_usd: 90n,
    outcome: 'settled',
    latency_ms: 1,
    reported_model: 'model-1',
    ...changes,
  };
}

function asked(outcome: Outcome, calls: readonly MeteredCall[] = [call()]): Asked {
  const reader = new CallAccount();
  for (const one of calls) reader.add(one);
  const item = { score: 1, text: 'x', at: '2026-01-01T00:00:00', who: 'Ann', unit: 'beliefs' as const, position: 1 };
  return {
    ...notAsked(SAMPLE_CAUSE, 'skipped'),
    outcome,
    recalled: {
      effective_strategy: 'bm25',
      lookup_miss: null,
      items: [
        { ...item, id: 'b1', rank: 1, sources: ['t1', 't9'] },
        { ...item, id: 'b2', rank: 2, sources: ['t1', 't2'] },
      ],
    },
    answer: 'Harbour Lane.',
    abstained: false,
    reader,
    timings_ms: { recall: 1.23456, context: 0, reader: 2 },
  };
}

const answered: Outcome = { kind: 'answered', cause: null };
const failed: Outcome = {
  kind: 'failed',
  cause: { ...SAMPLE_CAUSE, own_making: true },
};

describe('OB-1 a row', () => {
  it('OB-1 satisfies the published schema, whatever became of the question', () => {
    const refused = notAsked({ ...SAMPLE_CAUSE, stage: 'budget' }, 'refused');
    for (const one of [asked(answered), asked(failed), refused]) {
      const rows = laySharedCosts([makeRow(shared, cell('bm25'), task, one)], cell('bm25'), {
        formation: { usage, nano_usd: 10n },
        index: { usage: null, nano_usd: null },
      });
      expect(observationSchema.parse(rows[0])).toEqual(rows[0]);
    }
  });

  it('OB-1 timings are rounded to microseconds, and a question without an answer has none', () => {
    expect(makeRow(shared, cell('bm25'), task, asked(answered)).timings_ms).toEqual({
      recall: 1.235,
      context: 0,
      reader: 2,
    });
    expect(makeRow(shared, cell('bm25'), task, asked(failed)).timings_ms).toBeNull();
  });

  it('R-39 a turn counts at the rank of the first item that brought it', () => {
    const { scores } = makeRow(shared, cell('bm25'), task, asked(answered));
    expect(scores).toEqual({ 'exact-match': 1, 'evidence-recall@1': 0.5, coverage: 1 });
  });

  it.each(['none', 'full-history', 'evidence'] as const)(
    'OB-6 retrieval scores are n/a for %s, which ranks nothing',
    (strategy) => {
      const row = makeRow(shared, cell(strategy, 'turns'), task, asked(answered));
      expect(row.scores).toEqual({ 'exact-match': 1, 'evidence-recall@1': null, coverage: null });
      expect(row.applicable).toEqual(['exact-match']);
      expect(row.oracle).toBe(strategy === 'evidence');
    },
  );

  it('OB-4 a failed question has null scores, and says which scorers apply', () => {
    const row = makeRow(shared, cell('bm25'), task, asked(failed));
    expect(row.scores).toEqual({ 'exact-match': null, 'evidence-recall@1': null, coverage: null });
    expect(row.applicable).toEqual(['exact-match', 'evidence-recall@1', 'coverage']);
    expect(row.outcome).toEqual(failed);
  });

  it('OB-2 what a failed question was billed is attributed; an unknown bill and a question never asked are null', () => {
    const reader = (one: Asked) => makeRow(shared, cell('bm25'), task, one).attributed.reader;
    const held = call({ outcome: 'held', usage: null, actual_nano_usd: null, attributed_nano_usd: null });
    expect(reader(asked(failed))).toEqual({ usage, nano_usd: 90 });
    expect(reader(asked(failed, [held]))).toEqual({ usage: null, nano_usd: null });
    const refused = notAsked({ ...SAMPLE_CAUSE, stage: 'budget' }, 'refused');
    expect(reader(refused)).toEqual({ usage: null, nano_usd: null });
  });

  it('OB-2 actual counts new sends alone; what stays held is uncertain, not paid', () => {
    const held = call({ outcome: 'held', usage: null, actual_nano_usd: null, attributed_nano_usd: null });
    expect(makeRow(shared, cell('bm25'), task, asked(answered)).actual).toEqual({
      calls: 1,
      usage,
      nano_usd: 90,
      uncertain_nano_usd: 0,
    });
    expect(makeRow(shared, cell('bm25'), task, asked(failed, [call(), held])).actual).toEqual({
      calls: 2,
      usage: null,
      nano_usd: 90,
      uncertain_nano_usd: 500,
    });
    const inProcess = asked(answered, [call({ is_send: false, actual_nano_usd: 0n })]);
    expect(makeRow(shared, cell('bm25'), task, inProcess).actual).toMatchObject({ calls: 0, nano_usd: 0 });
  });
});

describe('OB-2 shared costs laid on rows', () => {
  const rows = [0, 1, 2].map((position) => {
    const row = sampleRow({ position });
    return { ...row, attributed: { ...row.attributed, reader: { usage, nano_usd: 5 } } };
  });
  const costs = { formation: { usage, nano_usd: 100n }, index: { usage: null, nano_usd: 8n } };
  const totals = (laid: readonly { attributed: { nano_usd: number | null } }[]) =>
    laid.map(({ attributed }) => attributed.nano_usd);

  it('OB-2 formation is charged to arms that read beliefs, and its shares sum exactly to the bank’s cost', () => {
    const laid = laySharedCosts(rows, cell('bm25'), costs);
    expect(laid.map((row) => row.attributed.formation.nano_usd)).toEqual([34, 33, 33]);
    expect(laid.map((row) => row.attributed.formation.usage?.output)).toEqual([3, 2, 2]);
    expect(totals(laid)).toEqual([39, 38, 38]);
  });

  it('OB-2 an arm that reads turns, or nothing, pays no formation; one without vectors no index', () => {
    expect(totals(laySharedCosts(rows, cell('bm25', 'turns'), costs))).toEqual([5, 5, 5]);
    expect(totals(laySharedCosts(rows, cell('none'), costs))).toEqual([5, 5, 5]);
    expect(totals(laySharedCosts(rows, cell('semantic', 'turns', true), costs))).toEqual([8, 8, 7]);
  });

  it('OB-2 an unpriced part leaves the whole row unpriced: null, never 0', () => {
    const unpriced = { ...costs, formation: { usage, nano_usd: null } };
    expect(totals(laySharedCosts(rows, cell('bm25'), unpriced))).toEqual([null, null, null]);
    expect(laySharedCosts([], cell('bm25'), costs)).toEqual([]);
  });
});
