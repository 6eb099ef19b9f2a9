import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failedRow, sampleRow } from '../../../test/support/observation-samples.js';
import type { Observation, RunResult } from '../../experiment/experiment.js';
import { CostCounts } from './cost-counts.js';
import { pairingSaving } from './pairing.js';
import { paretoFront } from './pareto-front.js';
import { spentByWhom } from './spent-by-whom.js';

const stage = (nano_usd: number | null) => ({ usage: null, nano_usd });
const attributed = (formation: number, reader: number | null): Observation['attributed'] => ({
  formation: stage(formation),
  index: stage(0),
  query: stage(0),
  reader: stage(reader),
  nano_usd: reader === null ? null : formation + reader,
});

function figuresOf(...rows: Observation[]) {
  const counts = new CostCounts();
  for (const row of rows) counts.add(row);
  return counts.figures;
}

describe('OB-2 what an arm costs alone', () => {
  it('OB-2 is by part, exact, and by question: what is paid once shared over all rows, a question by those that were answered', () => {
    const rows = [
      sampleRow({ attributed: attributed(3, 10) }),
      sampleRow({ attributed: attributed(2, 20) }),
      failedRow(true, { attributed: attributed(2, 7) }),
    ];
    expect(figuresOf(...rows)).toEqual({
      parts: { formation: 7n, index: 0n, query: 0n, reader: 37n },
      total: 44n,
      a_question: 7 / 3 + 15,
    });
  });

  it('OB-2 is not known where a part is not, and never 0 for that', () => {
    const unpriced = figuresOf(
      sampleRow({ attributed: attributed(1, 5) }),
      sampleRow({ attributed: attributed(1, null) }),
    );
    expect(unpriced).toMatchObject({ parts: { formation: 2n, reader: null }, total: null, a_question: null });
    expect(figuresOf()).toMatchObject({ parts: { formation: null }, total: null, a_question: null });
    // A lost row has no cost of its own: the answered ones still tell a question's.
    const lost = figuresOf(
      sampleRow({ attributed: attributed(1, 5) }),
      failedRow(false, { attributed: attributed(1, null) }),
    );
    expect(lost).toMatchObject({ total: null, a_question: 6 });
  });
});

describe('RP-5 the Pareto front', () => {
  it('RP-5 holds the arms that none beats in both cost and score, and of equal ones all', () => {
    const arm = (name: string, cost: number, score: number) => ({ arm: name, cost, score });
    const front = paretoFront([
      arm('dear', 9, 0.7),
      arm('worse', 5, 0.4),
      arm('a', 4, 0.5),
      arm('b', 4, 0.5),
      arm('dull', 9, 0.6),
      arm('free', 0, 0.1),
    ]);
    expect(front.map(({ arm: name }) => name)).toEqual(['free', 'a', 'b', 'dear']);
    expect(paretoFront([])).toEqual([]);
  });

  it('RP-5 every other arm is beaten by one of the front, and none of the front by any', () => {
    const arms = fc.array(fc.record({ arm: fc.string(), cost: fc.nat(8), score: fc.integer({ min: 0, max: 8 }) }), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(arms, (all) => {
        const front = paretoFront(all);
        for (const one of all) {
          const beaten = front.some(
            (other) =>
              other.cost <= one.cost && other.score >= one.score && (other.cost < one.cost || other.score > one.score),
          );
          expect(beaten).toBe(!front.includes(one));
        }
      }),
    );
  });
});

describe('FB-4 what pairing saved', () => {
  const bank = (calls: number, attributed_nano_usd: number | null) => ({
    source: 'replayed',
    calls,
    attributed_nano_usd,
  });
  const arm = (unit: string | null, replayed_calls: number, parity = 'equal') => ({ unit, replayed_calls, parity });
  const saving = (arms: object[], formation: object[]) => pairingSaving({ arms, formation } as unknown as RunResult);

  it('RP-5 is the banks’ calls and cost once less than there are arms that read beliefs', () => {
    const arms = [arm('beliefs', 5), arm('beliefs', 5), arm('beliefs', 5), arm('turns', 5), arm(null, 5)];
    expect(saving(arms, [bank(3, 100), bank(2, 11)])).toEqual({
      arms: 3,
      bank_calls: 5,
      saved_calls: 10,
      saved_nano_usd: 222n,
    });
  });

  it('RP-5 has no cost where a bank has no price or an arm did not replay all; is nothing where no bank is shared', () => {
    const two = [arm('beliefs', 5), arm('beliefs', 5)];
    expect(saving(two, [bank(3, 100), bank(2, null)])).toMatchObject({ saved_calls: 5, saved_nano_usd: null });
    expect(saving([arm('beliefs', 5), arm('beliefs', 3)], [bank(5, 9)])).toMatchObject({
      saved_calls: 3,
      saved_nano_usd: null,
    });
    expect(saving([arm('beliefs', 5), arm('turns', 5)], [bank(5, 9)])).toBeNull();
    expect(
      saving([arm('beliefs', 0, 'unpaired'), arm('beliefs', 0, 'unpaired')], [{ ...bank(5, 9), source: 'live' }]),
    ).toBeNull();
  });
});

it('LG-12 what was spent is divided whole: live formation is the arms’ own, and what no result holds is said', () => {
  const embedding = { index: { actual_nano_usd: 3 }, query: { actual_nano_usd: 4 } };
  const result = {
    formation: [
      { actual_nano_usd: 10, live_states: null, embedding },
      { actual_nano_usd: 99, live_states: [], embedding },
    ],
    arms: [{ actual_nano_usd: 99 }, { actual_nano_usd: 1 }],
    judging: { actual_nano_usd: 5 },
    ledger: { spent_nano_usd: 131 },
  };
  expect(spentByWhom(result as unknown as RunResult)).toEqual({
    formation: 10,
    vectors: 14,
    arms: 100,
    judging: 5,
    other: 2,
  });
});
