import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** What a file of a run folder is, by its path in it; null where a bundle has no place for it. */
export type RunPart =
  | 'manifest'
  | 'matrix'
  | 'ledger'
  | 'judgements'
  | 'lessons'
  | 'rows'
  | 'state'
  | 'request'
  | 'query-vectors';

const PARTS: readonly (readonly [RunPart, RegExp])[] = [
  ['manifest', /^run\.json$/],
  ['matrix', /^matrix\.resolved[0-9a-z.-]*\.yaml$/],
  ['ledger', /^ledger\.jsonl$/],
  ['judgements', /^judgements\.jsonl$/],
  ['lessons', /^lessons\.json$/],
  ['rows', /^(?:rescored-[1-9]\d*\/)?arms\/[^/]+\/[^/]+\.(?:observations|rows)\.jsonl$/],
  ['state', /^state\/(?:[^/]+\/)?[^/]+\.json$/],
  ['request', /^requests\/sha256-[0-9a-f]{64}\.json$/],
  ['query-vectors', /^vectors\/[^/]+\.(?:queries|misses)\.jsonl$/],
];

/** What a path in a run folder names. */
export function runPart(path: string): RunPart | null {
  return PARTS.find(([, pattern]) => pattern.test(path))?.[0] ?? null;
}

/** Files that say where a run is worked on, and by whom: of its own machine alone. */
const OF_THE_MACHINE = /^(?:run\.lock|ledger\.home\.json|ledger\.jsonl\.writer.*|.*\.tmp)$/;

/** What `report` writes of a run: it writes it again, and it is no part of one. */
const DERIVED = /^report\.html$/;

/** The regular files of a run folder by path, sorted, with `/` between parts; what is of the machine alone is passed over, and its report. */
export async function runFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !OF_THE_MACHINE.test(path) && !DERIVED.test(path))
    .sort();
}
