import { bankRefused, type RecallMatrixError } from '../core/errors.js';
import type { SecretFinding } from '../core/secret-scan.js';

/** The refusal of what holds a secret. It does not quote it. */
export function holdsSecret(where: string, findings: readonly SecretFinding[]): RecallMatrixError {
  const what = [...new Set(findings.map((finding) => finding.what))].join(', ');
  return bankRefused('BANK_HOLDS_SECRET', `${where} holds what must not be kept: ${what}`, {
    remedy: 'take the credential out of the history, and change it where it is a real one; then record anew',
  });
}
