import { invalidInput, type RecallMatrixError } from '../../core/errors.js';

const REMEDY = 'have it sent again, and compare its digest with the one that its maker published';

/** The refusal of a bundle that is not what was sealed, or not of this form (exit 2). */
export function bundleRefused(
  code: 'CHANGED' | 'MALFORMED' | 'ENTRY_REFUSED' | 'TOO_LARGE' | 'FILE_DIFFERS' | 'CONTENT_DIFFERS',
  message: string,
  file?: string,
): RecallMatrixError {
  return invalidInput(`BUNDLE_${code}`, message, {
    remedy: REMEDY,
    details: file === undefined ? {} : { file },
  });
}
