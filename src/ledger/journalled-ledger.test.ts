import { expect, it } from 'vitest';
import { sendOf } from '../../test/support/ledger-bench.js';
import { manualClock } from '../core/clock.js';
import { Account } from './account.js';
import { JournalledLedger } from './journalled-ledger.js';

it('PF-6 calls that wait together share one turn of the store (group commit)', async () => {
  const turns: number[] = [];
  const store = {
    place: 'memory',
    write: async (decide: (others: readonly never[]) => readonly unknown[]) => {
      turns.push(decide([]).length);
    },
    close: async () => {},
  };
  const ledger = new JournalledLedger(new Account(1_000n), store, manualClock());
  const granted = await Promise.all(Array.from({ length: 200 }, () => ledger.reserve(sendOf(1n))));
  await Promise.all(granted.map((reservation) => ledger.settle(reservation, 1n)));
  expect(turns).toEqual([200, 200]);
  expect(ledger.totals()).toMatchObject({ spent_nano_usd: 200n, held_nano_usd: 0n });
});
