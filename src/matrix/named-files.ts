import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { systemClock } from '../core/clock.js';
import type { Digest } from '../core/digest.js';
import { invalidInput, messageOf } from '../core/errors.js';
import { regularFile } from '../core/text-file.js';
import type { YamlPath } from '../core/yaml-source.js';
import { findModule } from '../module/find-module.js';
import type { ModuleKind } from '../module/module.js';
import { moduleOfScorer } from '../scoring/scoring.js';
import type { AuthoredMatrix } from './matrix-schema.js';

/** A file of the user's own that a matrix names in place of something built in (RT-6, RT-7). */
export interface NamedFile {
  readonly kind: ModuleKind | 'file';
  /** As the matrix names it. */
  readonly path: string;
  /** Where the matrix names it. */
  readonly at: YamlPath;
}

/** Every such file, in the order in which the matrix names them. */
export function namedFiles(authored: AuthoredMatrix): NamedFile[] {
  const files: NamedFile[] = [];
  const { formation } = authored;
  if (formation !== 'none' && isPolicyPath(formation.policy))
    files.push({ kind: 'policy', path: formation.policy, at: ['formation', 'policy'] });
  for (const [index, { retrieval }] of authored.arms.entries()) {
    const at = ['arms', index, 'retrieval', 'path'];
    if (retrieval.strategy === 'module') files.push({ kind: 'strategy', path: retrieval.path, at });
    if (retrieval.strategy === 'file') files.push({ kind: 'file', path: retrieval.path, at });
  }
  for (const [index, name] of authored.scoring.entries()) {
    const path = moduleOfScorer(name);
    if (path !== null) files.push({ kind: 'scorer', path, at: ['scoring', index] });
  }
  return files;
}

/** Whether a policy is named by a path: with a slash, or ending in `.mjs`. */
export function isPolicyPath(policy: string): boolean {
  return policy.includes('/') || policy.endsWith('.mjs');
}

/**
 * Finds one named file, and what its bytes are bound by. A module is loaded once, in a thread, to see its exports.
 *
 * @param folder the matrix file's.
 * @throws kind `invalid-input`: what `findModule` throws; `RANKINGS_UNREADABLE`.
 */
export async function digestOfNamed(named: NamedFile, folder: string, timeLimitMs: number): Promise<Digest> {
  const file = resolve(folder, named.path);
  if (named.kind === 'file') return digestOfFile(named.path, file);
  return (await findModule(named.kind, named.path, file, timeLimitMs, systemClock)).module.digest;
}

async function digestOfFile(path: string, file: string): Promise<Digest> {
  const hash = createHash('sha256');
  try {
    await regularFile(file);
    await pipeline(createReadStream(file), hash);
  } catch (error) {
    throw invalidInput('RANKINGS_UNREADABLE', `cannot read ${path}: ${messageOf(error)}`, {
      remedy: "name a file of JSON lines with another system's rankings or answers (docs/other-systems.md)",
    });
  }
  return `sha256:${hash.digest('hex')}`;
}
