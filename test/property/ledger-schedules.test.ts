import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Ledger, Reservation } from '../../src/ledger/ledger.js';
import { type FileLedgerBench, fileLedgerBench, sendOf } from '../support/ledger-bench.js';

const LIMIT = 1_000n;

type Step =
  | { readonly do: 'reserve'; readonly amounts: readonly number[] }
  | { readonly do: 'settle'; readonly which: number; readonly percent: number }
  | { readonly do: 'release'; readonly which: number; readonly sent: boolean }
  | { readonly do: 'hold'; readonly which: number }
  | { readonly do: 'crash' };

const which = fc.nat({ max: 50 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('reserve' as const),
      amounts: fc.array(fc.nat({ max: 400 }), { minLength: 1, maxLength: 5 }),
    }),
  },
  // 101 to 103 of a hundred: a breach, now and then.
  { weight: 4, arbitrary: fc.record({ do: fc.constant('settle' as const), which, percent: fc.nat({ max: 103 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('release' as const), which, sent: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hold' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const) }) },
);

/** A second, plainer account: a list of what every reservation became. */
interface Entry {
  readonly reservation: Reservation;
  amount: bigint;
  cost: bigint;
  became: 'open' | 'settled' | 'released' | 'unsent' | 'uncertain';
}

class Model {
  readonly entries: Entry[] = [];
  ledger: Ledger;
  readonly bench: FileLedgerBench;

  constructor(bench: FileLedgerBench, ledger: Ledger) {
    this.bench = bench;
    this.ledger = ledger;
  }

  get breached(): boolean {
    return this.entries.some(({ cost, amount }) => cost > amount);
  }

  sum(part: (entry: Entry) => bigint): bigint {
    return this.entries.reduce((sum, entry) => sum + part(entry), 0n);
  }

  get spent(): bigint {
    return this.sum(({ cost }) => cost);
  }

  get held(): bigint {
    return this.sum(({ became, amount }) => (became === 'open' || became === 'uncertain' ? amount : 0n));
  }

  async reserve(amounts: readonly number[]): Promise<void> {
    const outcomes = await Promise.allSettled(amounts.map((amount) => this.ledger.reserve(sendOf(BigInt(amount)))));
    for (const [index, outcome] of outcomes.entries()) {
      const amount = BigInt(amounts[index] as number);
      const fits = !this.breached && this.spent + this.held + amount <= LIMIT;
      expect(outcome.status).toBe(fits ? 'fulfilled' : 'rejected');
      if (outcome.status === 'fulfilled')
        this.entries.push({ reservation: outcome.value, amount, cost: 0n, became: 'open' });
    }
  }

  async resolve(step: Extract<Step, { which: number }>): Promise<void> {
    const entry = this.entries[step.which % Math.max(1, this.entries.length)];
    if (entry === undefined) return;
    const cost = step.do === 'settle' ? (entry.amount * BigInt(step.percent) + 99n) / 100n : 0n;
    const call = (): Promise<void> => {
      if (step.do === 'settle') return this.ledger.settle(entry.reservation, cost);
      if (step.do === 'hold') return this.ledger.hold(entry.reservation, 'timeout');
      return this.ledger.release(entry.reservation, 'refused', step.sent);
    };
    if (entry.became !== 'open') {
      await expect(call()).rejects.toMatchObject({ code: 'LEDGER_MISUSED' });
      return;
    }
    await call();
    entry.cost = cost;
    entry.became =
      step.do === 'settle' ? 'settled' : step.do === 'hold' ? 'uncertain' : step.sent ? 'released' : 'unsent';
  }

  async crash(): Promise<void> {
    this.ledger = await this.bench.reopen(LIMIT);
    for (const entry of this.entries) if (entry.became === 'open') entry.became = 'uncertain';
  }

  check(): void {
    expect(this.ledger.totals()).toMatchObject({
      breached: this.breached,
      spent_nano_usd: this.spent,
      held_nano_usd: this.held,
      uncertain_nano_usd: this.sum(({ became, amount }) => (became === 'uncertain' ? amount : 0n)),
      sends: this.entries.filter(({ became }) => became !== 'unsent').length,
    });
  }

  async checkJournal(): Promise<void> {
    const resolved = new Set<string>();
    let breached = false;
    let reserved = 0;
    for (const line of await this.bench.lines()) {
      if (line.kind === 'reserve') reserved += 1;
      if (line.kind === 'settle' || line.kind === 'release' || line.kind === 'hold') {
        expect(resolved.has(line.id)).toBe(false);
        resolved.add(line.id);
      }
      const entry = 'id' in line ? this.entries.find(({ reservation }) => reservation.id === line.id) : undefined;
      if (line.kind === 'settle' && entry !== undefined && BigInt(line.cost_nano_usd) > entry.amount) breached = true;
      if (!breached) expect(line.spent_nano_usd + line.held_nano_usd).toBeLessThanOrEqual(line.limit_nano_usd);
    }
    expect(reserved).toBe(this.entries.length);
  }
}

it('LG-3 LG-6 RS-2 any schedule of calls, crashes and breaches keeps every sum, loses nothing and doubles nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
      const bench = await fileLedgerBench();
      try {
        const model = new Model(bench, await bench.create(LIMIT));
        for (const each of steps) {
          if (each.do === 'reserve') await model.reserve(each.amounts);
          else if (each.do === 'crash') await model.crash();
          else await model.resolve(each);
          model.check();
        }
        await model.crash();
        model.check();
        await model.checkJournal();
      } finally {
        await bench.dispose();
      }
    }),
    { numRuns: 80 },
  );
});
