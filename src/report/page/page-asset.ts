import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * What the page is made with beside its data: the style sheet, and the script that the build makes of `client/`.
 *
 * @throws where this program was not built.
 */
export function pageAsset(name: 'style.css' | 'client.js'): string {
  const beside = fileURLToPath(new URL(name, import.meta.url));
  // Run from its source, the script is the last build's.
  const built = fileURLToPath(new URL(`../../../dist/report/page/${name}`, import.meta.url));
  return readFileSync(existsSync(beside) ? beside : built, 'utf8');
}
