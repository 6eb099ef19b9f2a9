import type { UnresolvedReservation } from '../ledger/read-ledger.js';
import type { RunFolder } from './run-folder.js';

/** Where a session writes: a folder and a budget of its own, or those of the run that it continues (LG-1). */
export type SessionPlace =
  | { readonly kind: 'new'; readonly prefix: string }
  | {
      readonly kind: 'continued';
      /** Locked by the caller. */
      readonly folder: RunFolder;
      readonly limit: bigint;
      /** Whether the limit is higher than the ledger's, and the user asked for that (LG-10). */
      readonly amendLimit: boolean;
      /** What the run's ledger holds as uncertain. */
      readonly uncertain: readonly UnresolvedReservation[];
    };
