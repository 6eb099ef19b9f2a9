import { join } from 'node:path';
import { canonicalJson } from '../../../core/canonical-json.js';
import { readLedger } from '../../../ledger/read-ledger.js';
import { ledgerResult } from '../../ledger-result.js';
import type { CheckedBundle } from './checked-bundle.js';

/** The journal adds up line by line, and to what the run says that it spent and held. */
export async function checkLedger({ folder, record, paths, findings, has }: CheckedBundle): Promise<void> {
  const path = paths.ledgerPath;
  if (!has(path)) return findings.skipped('ledger', 'its journal is not in the bundle');
  const report = await findings.reading(path, () => readLedger(join(folder, path)));
  if (report === null) return;
  findings.looked('ledger lines', report.entries.length + 1);
  findings.same(path, 'its run', report.run, record.run);
  const [found, expected] = [ledgerResult(report.totals), record.result.ledger].map(canonicalJson);
  if (found !== expected) findings.fault(path, `its sums are ${found}, and the run says ${expected}`);
}
