import { join } from 'node:path';
import { canonicalJson } from '../../../core/canonical-json.js';
import { readLedger } from '../../../ledger/read-ledger.js';
import { ledgerResult } from '../../ledger-result.js';
import { RUN_FOLDER } from '../bundle-format.js';
import type { CheckedBundle } from './checked-bundle.js';

const LEDGER = `${RUN_FOLDER}/ledger.jsonl`;

/** The journal adds up line by line, and to what the run says that it spent and held. */
export async function checkLedger({ folder, record, findings, has }: CheckedBundle): Promise<void> {
  if (!has(LEDGER)) return findings.skipped('ledger', 'its journal is not in the bundle');
  const report = await findings.reading(LEDGER, () => readLedger(join(folder, LEDGER)));
  if (report === null) return;
  findings.looked('ledger lines', report.entries.length + 1);
  findings.same(LEDGER, 'its run', report.run, record.run);
  const [found, expected] = [ledgerResult(report.totals), record.result.ledger].map(canonicalJson);
  if (found !== expected) findings.fault(LEDGER, `its sums are ${found}, and the run says ${expected}`);
}
