import type { Digest } from '../../core/digest.js';
import type { AssembledContext } from '../../memory/context/context.js';
import type { RecallResult } from '../../memory/memory.js';
import { CallAccount } from './call-account.js';
import type { Outcome } from './outcome.js';
import type { MadeSearch, PreparationCost } from './retrieval.js';
import type { Cause } from './row-cause.js';

/** What asking one question under one arm gave, before it becomes a row. */
export interface Asked {
  readonly outcome: Outcome;
  /** What was thrown, for the run's exit code; null where nothing was. */
  readonly error: unknown;
  readonly recalled: RecallResult | null;
  readonly context: AssembledContext | null;
  /** Lessons that stand in the context. */
  readonly lessons: readonly Digest[];
  /** Of a deliberate reader. */
  readonly searches: readonly MadeSearch[];
  readonly answer: string | null;
  readonly abstained: boolean | null;
  readonly request: `sha256:${string}` | null;
  readonly query: PreparationCost | null;
  readonly reader: CallAccount;
  /** The answer is another system's: what it read is not known. */
  readonly is_given: boolean;
  /** By scorers that are modules of the user's own (RT-6). */
  readonly module_scores: { readonly [scorer: string]: number | null };
  readonly timings_ms: { readonly recall: number; readonly context: number; readonly reader: number };
}

/** A row that was never asked: the budget, or the user, stopped the run. */
export function notAsked(cause: Cause, kind: 'refused' | 'skipped'): Asked {
  return {
    outcome: { kind, cause },
    error: null,
    recalled: null,
    context: null,
    lessons: [],
    searches: [],
    answer: null,
    abstained: null,
    request: null,
    query: null,
    reader: new CallAccount(),
    is_given: false,
    module_scores: {},
    timings_ms: { recall: 0, context: 0, reader: 0 },
  };
}
