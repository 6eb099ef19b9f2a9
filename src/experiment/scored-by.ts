import type { RunManifest, RunSession } from './run-manifest.js';

type ScoringProgram = NonNullable<RunSession['scored_by']>;

/** The program that gave the scores that count, and summed them up: of the last rescoring, else of the run. */
export function scoredBy({ sessions, tool }: Pick<RunManifest, 'sessions' | 'tool'>): ScoringProgram {
  return lastScoring(sessions) ?? tool;
}

/** The program of the last rescoring (RP-6); null where the run was never scored again. */
export function lastScoring(sessions: readonly RunSession[]): ScoringProgram | null {
  return sessions.findLast(({ scored_by }) => scored_by !== undefined)?.scored_by ?? null;
}
