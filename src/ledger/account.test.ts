import { describe, expect, it } from 'vitest';
import { Account } from './account.js';
import type { LedgerEvent } from './journal-line.js';

const reserve = (id: string, amount: number): LedgerEvent => ({
  kind: 'reserve',
  id,
  amount_nano_usd: amount,
  arm: null,
  stage: 'formation',
  fixture: 'f',
  unit: 'b1',
  body: `sha256:${'0'.repeat(64)}`,
});
const reasonOf = (account: Account, event: LedgerEvent): string | undefined => account.apply(event)?.reason;

describe('an account', () => {
  it('LG-6 takes reservations by their numbers alone, without a gap and never twice', () => {
    const account = new Account(100n);
    expect(reasonOf(account, reserve('r2', 0))).toBe('wrong-id');
    expect(reasonOf(account, reserve('r1', 0))).toBeUndefined();
    expect(reasonOf(account, reserve('r1', 0))).toBe('wrong-id');
    expect(account.nextId).toBe('r2');
  });

  it('LG-9 accepts nothing after an overrun but its own breach, once', () => {
    const account = new Account(100n);
    account.apply(reserve('r1', 10));
    account.apply(reserve('r2', 10));
    expect(reasonOf(account, { kind: 'breach', id: 'r1', excess_nano_usd: 5 })).toBe('no-breach');
    account.apply({ kind: 'settle', id: 'r1', cost_nano_usd: 15 });
    expect(reasonOf(account, { kind: 'hold', id: 'r2', reason: 'timeout' })).toBe('breach-not-reported');
    expect(reasonOf(account, { kind: 'breach', id: 'r1', excess_nano_usd: 4 })).toBe('no-breach');
    expect(reasonOf(account, { kind: 'breach', id: 'r1', excess_nano_usd: 5 })).toBeUndefined();
    expect(reasonOf(account, { kind: 'breach', id: 'r1', excess_nano_usd: 5 })).toBe('no-breach');
    expect(reasonOf(account, { kind: 'hold', id: 'r2', reason: 'timeout' })).toBeUndefined();
  });

  it('LG-10 takes an amendment only from its own limit, and only upwards', () => {
    const account = new Account(100n);
    const amend = (from: number, to: number): string | undefined =>
      reasonOf(account, { kind: 'amendment', from_nano_usd: from, to_nano_usd: to });
    expect(amend(99, 200)).toBe('wrong-limit');
    expect(amend(100, 100)).toBe('wrong-limit');
    expect(amend(100, 50)).toBe('wrong-limit');
    expect(amend(100, 200)).toBeUndefined();
    expect(account.limit).toBe(200n);
  });
});
