import type { LoadedMatrix } from '../matrix/matrix.js';
import type { RunManifest, RunSession } from './run-manifest.js';

/** What a session of a run begins with: nothing, or what earlier sessions left. */
export interface RunHistory {
  readonly kind: RunSession['kind'];
  /** When the run began; null for a new one. */
  readonly started_at: string | null;
  /** Every matrix that the run had, this session's last (OB-8). */
  readonly matrices: RunManifest['matrices'];
  readonly sessions: readonly RunSession[];
  /** What was to be done about each bank when the run began, and the bank that it was formed from. */
  readonly banks: RunManifest['banks'];
  /** The same of its vector banks. */
  readonly vector_banks: RunManifest['vector_banks'];
  /** Whether rows that the provider lost are asked again. */
  readonly retryFailed: boolean;
}

/** The first session of a run. */
export function newHistory(loaded: LoadedMatrix): RunHistory {
  return {
    kind: 'run',
    started_at: null,
    matrices: [{ digest: loaded.digest, file: 'matrix.resolved.yaml' }],
    sessions: [],
    banks: [],
    vector_banks: [],
    retryFailed: false,
  };
}
