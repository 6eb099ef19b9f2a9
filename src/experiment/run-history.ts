import type { LedgerReport } from '../ledger/read-ledger.js';
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
  /** What earlier sessions paid for recording, by fixture. */
  readonly recording_nano_usd: ReadonlyMap<string, bigint>;
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
    recording_nano_usd: new Map(),
    retryFailed: false,
  };
}

/** What a ledger's journal says of a run's past: the limit that it has now, and what recording its banks cost. */
export function pastMoney({ entries, totals }: LedgerReport): {
  readonly limit: bigint;
  readonly uncertain: bigint;
  readonly recording: ReadonlyMap<string, bigint>;
} {
  const fixtures = new Map<string, string>();
  const recording = new Map<string, bigint>();
  for (const line of entries) {
    if (line.kind === 'reserve' && line.stage === 'formation' && line.arm === null) fixtures.set(line.id, line.fixture);
    const fixture = line.kind === 'settle' ? fixtures.get(line.id) : undefined;
    if (line.kind === 'settle' && fixture !== undefined)
      recording.set(fixture, (recording.get(fixture) ?? 0n) + BigInt(line.cost_nano_usd));
  }
  return { limit: totals.limit_nano_usd, uncertain: totals.uncertain_nano_usd, recording };
}
