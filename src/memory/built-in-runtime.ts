import type pg from 'pg';
import { formHistory } from './formation/form-history.js';
import type { FormationPolicy } from './formation/formation-policy.js';
import type { MemoryRuntime } from './memory.js';
import { openRecall } from './recall/open-recall.js';
import type { Ranker } from './recall/ranker.js';

/** Parts of the user's own in place of built-in ones (RT-6, RT-7). */
export interface RuntimeParts {
  /** The policy that `FormationSettings.policy` names, where it is not built in. */
  readonly policy?: FormationPolicy | null;
  /** What the strategies `module` and `file` are ranked by. */
  readonly ranker?: Ranker | null;
}

/** The built-in runtime over one scratch database. Its pool is the runtime's role: row security binds it. */
export function builtInRuntime(pool: pg.Pool, { policy, ranker }: RuntimeParts = {}): MemoryRuntime {
  return {
    form: (history, settings, provider, signal, onCall) =>
      formHistory(pool, history, settings, provider, signal, onCall, policy ?? undefined),
    openRecall: (settings, owner, vectors, lookup, signal) =>
      openRecall(pool, settings, owner, vectors, lookup, signal, ranker ?? null),
  };
}
