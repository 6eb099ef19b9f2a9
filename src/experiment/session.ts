import type { Clock } from '../core/clock.js';
import type { Digest } from '../core/digest.js';
import { internalFault } from '../core/errors.js';
import type { Ledger } from '../ledger/ledger.js';
import type { LoadedMatrix } from '../matrix/matrix.js';
import type { PostgresServer } from '../postgres/postgres.js';
import type { Progress } from './experiment.js';
import type { LedgerHome } from './ledger-home.js';
import type { Providers } from './providers.js';
import type { RunLessons } from './run-lessons.js';
import type { UserParts } from './user-parts/user-parts.js';
import type { SessionQueries } from './vectors/query-groups/session-queries.js';

/** What one invocation has in its hands, once its input was found sound. */
export interface Session {
  readonly loaded: LoadedMatrix;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly ledger: Ledger;
  readonly ledger_home: LedgerHome;
  readonly postgres: PostgresServer;
  readonly providers: Providers;
  readonly userParts: UserParts;
  readonly implementation: Digest;
  readonly queries: SessionQueries;
  /** Null where no arm injects any (LE-6). */
  readonly lessons: RunLessons | null;
  /** How long another process's recording is waited for (FB-13). */
  readonly recorder_wait_ms: number;
  readonly progress: Progress;
}

/** What judging needs of a session: neither a database nor what prepares queries. */
export type SendingSession = Pick<Session, 'loaded' | 'signal' | 'ledger' | 'providers' | 'progress'>;

/** The formation settings of a session whose matrix has formation. */
export function formationOf(loaded: LoadedMatrix): NonNullable<LoadedMatrix['matrix']['formation']> {
  const { formation } = loaded.matrix;
  if (formation === null) throw internalFault('NO_FORMATION', 'the matrix has no formation');
  return formation;
}

/** Tells how far a stage is, with what was spent and is held. */
export function tell(
  session: Pick<Session, 'ledger' | 'progress'>,
  stage: string,
  done: number,
  total: number,
  remaining_ms: number | null = null,
): void {
  const { spent_nano_usd, held_nano_usd } = session.ledger.totals();
  session.progress({ kind: 'stage', stage, done, total, spent_nano_usd, held_nano_usd, remaining_ms });
}
