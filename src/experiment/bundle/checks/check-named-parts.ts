import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digestBytes } from '../../../core/digest.js';
import { moduleDigest } from '../../../module/module-files.js';
import { type NamedPart, namedParts } from '../workspace.js';
import type { CheckedBundle } from './checked-bundle.js';

/** Prompts, modules, other systems' files and people's verdicts are those that the matrix binds. */
export async function checkNamedParts(bundle: CheckedBundle): Promise<void> {
  const { record, workspace, findings, has } = bundle;
  for (const part of namedParts(record.matrix)) {
    if (!('digest' in part || 'text' in part)) continue;
    const path = workspace.place(part.path);
    if (path === null) continue;
    if (!has(path)) {
      findings.skipped(`${part.kind} ${part.path}`, 'it is not in the bundle');
      continue;
    }
    findings.looked('prompts, modules, rankings and labels that the matrix names');
    await checkPart(bundle, part, path);
  }
}

async function checkPart({ folder, findings }: CheckedBundle, part: NamedPart, path: string): Promise<void> {
  const file = join(folder, ...path.split('/'));
  if ('text' in part) {
    if ((await readFile(file, 'utf8')) !== part.text) findings.fault(path, 'it is not the prompt of the matrix');
  } else if (part.kind === 'module') {
    const digest = await findings.reading(path, () => moduleDigest(file, folder));
    if (digest !== null) findings.same(path, 'its digest', digest, part.digest);
  } else if ('digest' in part) findings.same(path, 'its digest', digestBytes(await readFile(file)), part.digest);
}
