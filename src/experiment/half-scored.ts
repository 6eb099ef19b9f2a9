import type { RunManifest } from './run-manifest.js';

/** Whether the last session scored the run again and was killed: what it had paid is in the ledger, and in no result (LG-12). */
export function isHalfScored({ sessions }: Pick<RunManifest, 'sessions'>): boolean {
  const last = sessions.at(-1);
  return last?.kind === 'rescore' && last.finished_at === null;
}
