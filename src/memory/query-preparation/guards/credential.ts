import { scanForSecrets } from '../../../core/secret-scan.js';
import { shownText } from './shown-text.js';

/** The first configured secret or credential shape in a query's texts, as they are written and as they are shown; null where there is none (SQ-7). */
export async function findCredential(texts: readonly string[], secrets: readonly string[]): Promise<string | null> {
  const [finding] = await scanForSecrets([...texts, ...texts.map(shownText)], secrets);
  return finding?.what ?? null;
}
