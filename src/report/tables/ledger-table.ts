import { counted } from '../../core/counted.js';
import { showUsd } from '../../ledger/money.js';
import type { LedgerReport } from '../../ledger/read-ledger.js';
import { plainTable } from './table.js';

const usd = (amount: bigint): string => `$${showUsd(amount)}`;

/** A ledger as people read it (LG-6): totals, by arm and stage, and what is uncertain. */
export function showLedger(report: LedgerReport): string {
  const { totals } = report;
  const head = [
    `ledger of ${report.run}${report.live ? ' (being written)' : ''}`,
    `limit ${usd(totals.limit_nano_usd)}, spent ${usd(totals.spent_nano_usd)}, held ${usd(totals.held_nano_usd)} (uncertain ${usd(totals.uncertain_nano_usd)}), ${counted(totals.sends, 'send')}${totals.breached ? ', BREACHED: a cost exceeded its reservation' : ''}`,
  ].join('\n');
  const sums = plainTable(
    ['arm', 'stage', 'sends', 'spent', 'held', 'uncertain'],
    totals.by_arm_and_stage.map((row) => [
      row.arm ?? '(shared)',
      row.stage,
      String(row.sends),
      usd(row.spent_nano_usd),
      usd(row.held_nano_usd),
      usd(row.uncertain_nano_usd),
    ]),
    [2, 3, 4, 5],
  );
  const uncertain = report.uncertain.map(
    ({ id, amount_nano_usd, attribution, reason }) =>
      `uncertain ${id}: ${usd(amount_nano_usd)}, ${attribution.arm ?? '(shared)'}, ${attribution.stage}, ${attribution.fixture}, ${attribution.unit}: ${reason}`,
  );
  return [head, totals.by_arm_and_stage.length === 0 ? 'nothing was sent' : sums, ...uncertain].join('\n');
}

/** The same as one JSON document; amounts as JSON integers: the journal refuses larger ones. */
export function ledgerDocument(report: LedgerReport): unknown {
  const { totals } = report;
  const text = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);
  return JSON.parse(
    JSON.stringify(
      {
        format: 'ledger-report@1',
        run: report.run,
        opened_at: report.opened_at,
        live: report.live,
        totals,
        open: report.open,
        uncertain: report.uncertain,
        torn_bytes: report.torn_bytes,
        lines: report.entries.length,
      },
      text,
    ),
  );
}
