import type { RunManifest } from '../../run-record.js';

/** The program that gave the scores that count, and summed them up: of the last rescoring, else of the run. */
export function scoredBy({ sessions, tool }: RunManifest): { readonly version: string; readonly program: string } {
  return sessions.findLast(({ scored_by }) => scored_by !== undefined)?.scored_by ?? tool;
}
