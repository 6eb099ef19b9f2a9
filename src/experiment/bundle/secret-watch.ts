import { invalidInput } from '../../core/errors.js';
import { type SecretFinding, scanForSecrets } from '../../core/secret-scan.js';
import type { FileWatch } from './bundle-stage.js';
import { fileText } from './file-text.js';

/** So much text is scanned at once: a scan has a cost of its own, and a run may have many thousands of small files. */
const SCANNED_TOGETHER = 262_144;

/** Refuses a bundle with a secret in it (RS-4): every configured one, and what has the shape of a credential. */
export function secretWatch(secrets: readonly string[]): FileWatch {
  let waiting: { readonly path: string; readonly text: string }[] = [];
  let size = 0;
  const scanWaiting = async (): Promise<void> => {
    const texts = waiting;
    waiting = [];
    size = 0;
    const found = await scanForSecrets(
      texts.map(({ text }) => text),
      secrets,
    );
    if (found.length === 0) return;
    // Which file it is in is asked only now.
    for (const { path, text } of texts) {
      const findings = await scanForSecrets(text, secrets);
      if (findings.length > 0) throw holdsSecret(path, findings);
    }
    throw holdsSecret(texts.map(({ path }) => path).join(', '), found);
  };
  return {
    see: async (path, bytes) => {
      const text = fileText(path, bytes);
      waiting.push({ path, text });
      size += text.length;
      if (size >= SCANNED_TOGETHER) await scanWaiting();
    },
    end: scanWaiting,
  };
}

/** It does not quote the secret. */
function holdsSecret(path: string, findings: readonly SecretFinding[]): Error {
  const what = [...new Set(findings.map((finding) => finding.what))].join(', ');
  return invalidInput('BUNDLE_HOLDS_SECRET', `${path} holds what must not be passed on: ${what}`, {
    remedy: 'change the credential where it is a real one, take it out of where it came from, and run anew',
    details: { file: path },
  });
}
