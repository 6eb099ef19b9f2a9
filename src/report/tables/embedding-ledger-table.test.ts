import { expect, it } from 'vitest';
import type { SpendSum } from '../../memory/query-preparation/admission/read-embedding-spend.js';
import { showEmbeddingSpend } from './embedding-ledger-table.js';

const sum = (principal: string, day: string, kind: SpendSum['kind'], micro: bigint): SpendSum => ({
  owner: { tenant: 'lab', principal },
  day,
  kind,
  status: 'settled',
  receipts: 2,
  reserved_nano_usd: micro * 5000n,
  charge_nano_usd: micro * 1000n,
});

it('SQ-9 what counts against each owner’s day is added up, both kinds together, and what the ceiling of a day is, is said to stand in the matrix', () => {
  const shown = showEmbeddingSpend({
    migration: '0002-query-receipts',
    sums: [
      sum('ada', '2026-03-01', 'index', 40n),
      sum('ada', '2026-03-01', 'query', 2n),
      sum('ada', '2026-03-02', 'query', 7n),
      sum('bob', '2026-03-01', 'index', 1n),
    ],
    receipts: null,
  });
  expect(shown).toContain('lab/ada is charged $0.000042 on 2026-03-01');
  expect(shown).toContain('lab/ada is charged $0.000007 on 2026-03-02');
  expect(shown).toContain('lab/bob is charged $0.000001 on 2026-03-01');
  expect(shown).toContain('query_preparation.ceilings.day_usd');
});
