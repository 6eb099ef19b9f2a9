import { FIXTURE_FILES } from '../../fixture/fixture-files.js';
import { RUN_FOLDER } from './bundle-format.js';
import { type RunPart, runPart } from './run-parts.js';

/** What of a run folder a redacted bundle leaves out whole: each holds the history's text, or vectors of it. */
export const REDACTED_PARTS: ReadonlySet<RunPart> = new Set(['state', 'request', 'query-vectors', 'lessons']);

const { manifest: _manifest, ...TEXTS } = FIXTURE_FILES;
const TAKEN_OUT = [
  '.bank.json',
  '.state.json',
  '.expected.json',
  '.vectors.bin',
  ...Object.values(TEXTS).map((name) => `/${name}`),
];

/** Whether a file's name alone says that no redacted bundle holds it. */
export function isTakenOut(path: string): boolean {
  if (!path.startsWith(`${RUN_FOLDER}/`)) return TAKEN_OUT.some((end) => path.endsWith(end));
  const part = runPart(path.slice(RUN_FOLDER.length + 1));
  return part !== null && REDACTED_PARTS.has(part);
}
