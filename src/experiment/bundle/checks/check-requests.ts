import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digestText } from '../../../core/digest.js';
import { RUN_FOLDER } from '../bundle-format.js';
import type { CheckedBundle } from './checked-bundle.js';

/** Every exact request has the digest that its name says. */
export async function checkRequests({ folder, manifest, findings }: CheckedBundle): Promise<void> {
  const requests = manifest.files.filter(({ path }) => path.startsWith(`${RUN_FOLDER}/requests/`));
  for (const { path } of requests) {
    const text = await readFile(join(folder, ...path.split('/')), 'utf8');
    findings.looked('exact requests by their digests');
    const named = /sha256-([0-9a-f]{64})\.json$/.exec(path)?.[1];
    findings.same(path, 'its digest', digestText(text.replace(/\n$/, '')), `sha256:${named}`);
  }
  if (manifest.redaction !== null) findings.skipped('exact requests, and the contexts in them', 'redacted');
}
