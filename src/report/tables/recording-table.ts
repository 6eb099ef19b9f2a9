import type { RecordResult } from '../../experiment/experiment.js';
import { showLedger } from '../money-text.js';
import { showFormation } from './formation-table.js';

/** A recording's result. */
export function showRecording(result: RecordResult): string {
  return [`record ${result.run}: ${result.status}`, showFormation(result.formation), showLedger(result.ledger)].join(
    '\n\n',
  );
}
