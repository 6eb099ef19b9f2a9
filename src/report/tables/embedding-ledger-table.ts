import { terminalLine } from '../../core/terminal-text.js';
import { showUsd } from '../../ledger/money.js';
import type { EmbeddingSpend } from '../../memory/query-preparation/admission/read-embedding-spend.js';
import { plainTable } from './table.js';

/** What owners spent on embeddings, as people read it: by owner, UTC day, kind and status. */
export function showEmbeddingSpend({ migration, sums }: EmbeddingSpend): string {
  if (sums.length === 0) return 'no embedding was reserved';
  const table = plainTable(
    ['owner', 'day', 'kind', 'status', 'receipts', 'charged'],
    sums.map(({ owner, day, kind, status, receipts, charge_nano_usd }) => [
      `${owner.tenant}/${owner.principal}`,
      day,
      kind ?? '–',
      status,
      String(receipts),
      `$${showUsd(charge_nano_usd)}`,
    ]),
    [4, 5],
  );
  const notes = sums.some(({ status }) => status === 'pending') ? [PENDING] : [];
  const title = `embeddings of all runs, charged to the UTC day of their admission (${migration})`;
  return [title, table, ...notes, '', ...totals(sums), CEILINGS].join('\n');
}

/** What counts against each day of an owner: all kinds and statuses together. */
function totals(sums: EmbeddingSpend['sums']): string[] {
  const days = new Map<string, { readonly who: string; readonly day: string; readonly charge: bigint }>();
  for (const { owner, day, charge_nano_usd: charge } of sums) {
    const key = JSON.stringify([owner.tenant, owner.principal, day]);
    const before = days.get(key)?.charge ?? 0n;
    days.set(key, { who: `${owner.tenant}/${owner.principal}`, day, charge: before + charge });
  }
  return [...days.values()].map(({ who, day, charge }) =>
    terminalLine(`${who} is charged $${showUsd(charge)} on ${day}`, 600),
  );
}

const CEILINGS =
  "A day's ceiling stands in each matrix (`query_preparation.ceilings.day_usd`): less this charge, it is what the day has left.";

const PENDING =
  'pending: under way, or left by a process that was killed; it is charged whole, as an unknown one is, and counts against its own day';

/** The same as one JSON document; receipts in their serialised shape. */
export function embeddingSpendDocument({ migration, sums, receipts }: EmbeddingSpend): unknown {
  return {
    format: 'embedding-ledger@1',
    migration,
    sums: sums.map(({ reserved_nano_usd, charge_nano_usd, ...sum }) => ({
      ...sum,
      reserved_nano_usd: Number(reserved_nano_usd),
      charge_nano_usd: Number(charge_nano_usd),
    })),
    receipts: receipts?.map((text) => JSON.parse(text) as unknown) ?? null,
  };
}
