import { posix } from 'node:path';
import type { Digest } from '../../core/digest.js';
import type { ResolvedMatrix } from '../../matrix/matrix.js';
import { READER_PRESETS } from '../../memory/reader/presets.js';
import { JUDGE_PRESETS } from '../../scoring/judge/judge-presets.js';
import { moduleOfScorer } from '../../scoring/scoring.js';

/** A file or folder that a matrix names, by the path that it gives. */
export type NamedPart =
  | { readonly kind: 'fixture' | 'banks' | 'vector-banks'; readonly path: string }
  | { readonly kind: 'prompt'; readonly path: string; readonly text: string }
  | { readonly kind: 'labels' | 'module' | 'rankings'; readonly path: string; readonly digest: Digest };

/** Everything that a resolved matrix names by path; what is a preset is none. */
export function namedParts(matrix: ResolvedMatrix): NamedPart[] {
  const { formation, reader, judges, modules } = matrix;
  const parts: NamedPart[] = matrix.fixtures.map((path) => ({ kind: 'fixture', path }));
  if (formation !== null) parts.push({ kind: 'banks', path: formation.formation_bank_directory });
  parts.push({ kind: 'vector-banks', path: matrix.vector_banks.directory });
  if (!isPreset(READER_PRESETS, reader.prompt.name))
    parts.push({ kind: 'prompt', path: reader.prompt.name, text: reader.prompt.text });
  for (const { prompt, labels } of Object.values(judges)) {
    if (!isPreset(JUDGE_PRESETS, prompt.name)) parts.push({ kind: 'prompt', path: prompt.name, text: prompt.text });
    if (labels !== null) parts.push({ kind: 'labels', ...labels });
  }
  if (formation?.policy_path !== undefined) {
    const digest = formation.policy.slice('module@'.length) as Digest;
    parts.push({ kind: 'module', path: formation.policy_path, digest });
  }
  for (const { retrieval } of matrix.arms) {
    const { path, digest, strategy } = retrieval;
    if (path === undefined || digest === undefined) continue;
    parts.push({ kind: strategy === 'file' ? 'rankings' : 'module', path, digest });
  }
  for (const { path, digest } of Object.values(modules?.scorers ?? {})) parts.push({ kind: 'module', path, digest });
  const seen = new Set<string>();
  return parts.filter(({ kind, path }) => seen.size !== seen.add(`${kind} ${path}`).size);
}

function isPreset(presets: readonly string[], name: string): boolean {
  return presets.includes(name);
}

/** Where the parts of a matrix lie in a bundle: at the same paths from the matrix file as where it was run, so that the same file has the same digest (MX-7). */
export interface Workspace {
  /** The matrix file, in the bundle. */
  readonly matrixFile: string;
  /** How many folders above the matrix file's own the parts reach. */
  readonly depth: number;
  /** Where a part lies in the bundle; null for one that was named from the root of its machine. */
  place(path: string): string | null;
}

const ROOT = 'workspace';

/** The workspace of a matrix. */
export function workspaceOf(matrix: ResolvedMatrix): Workspace {
  const paths = namedParts(matrix).map(({ path }) => posix.normalize(path));
  const depth = Math.max(0, ...paths.map(climbs));
  // What these folders were called is nobody's business; the last one's usual name is.
  const folders = depth === 0 ? [] : [...new Array<string>(depth - 1).fill('up'), 'matrices'];
  const folder = [ROOT, ...folders].join('/');
  return {
    matrixFile: `${folder}/${matrix.name}.yaml`,
    depth,
    place: (path) => (posix.isAbsolute(path) ? null : posix.join(folder, path)),
  };
}

function climbs(path: string): number {
  return path.split('/').filter((part) => part === '..').length;
}

/** Whether a file of a matrix's own would be named from the root of the machine that it was run on, as its scorers may be. */
export function isTiedToMachine(matrix: ResolvedMatrix): boolean {
  const scorers = matrix.scoring.map(moduleOfScorer).filter((path) => path !== null);
  return [...scorers, ...namedParts(matrix).map(({ path }) => path)].some((path) => posix.isAbsolute(path));
}
