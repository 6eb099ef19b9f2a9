import type pg from 'pg';
import { formHistory } from './formation/form-history.js';
import type { MemoryRuntime } from './memory.js';
import { openRecall } from './recall/open-recall.js';

/** The built-in runtime over one scratch database. Its pool is the runtime's role: row security binds it. */
export function builtInRuntime(pool: pg.Pool): MemoryRuntime {
  return {
    form: (history, settings, provider, signal, onCall) =>
      formHistory(pool, history, settings, provider, signal, onCall),
    openRecall: (settings, owner, vectors, lookup, signal) =>
      openRecall(pool, settings, owner, vectors, lookup, signal),
  };
}
