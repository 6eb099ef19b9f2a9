import type { Completion } from '../../src/provider/completion.js';
import type { Usage } from '../../src/provider/usage.js';

/** One answer as a public reference describes it, and what is kept of it. */
export interface WireAnswer {
  readonly title: string;
  /** The page that the body is written from. */
  readonly page: string;
  readonly body: unknown;
  readonly kept: Pick<Completion, 'contents' | 'finish' | 'tool_calls'>;
  /** In disjoint parts; null where it cannot be billed by. */
  readonly usage: Usage | null;
}

/** A usage with what is not named at 0. */
export const tokens = (parts: Partial<Usage>): Usage => ({
  input_uncached: 0,
  cache_read: 0,
  cache_write: 0,
  output: 0,
  reasoning: 0,
  ...parts,
});

export const ANSWER = '{"abstains":false,"answer":"Lisbon"}';
export const SAID: WireAnswer['kept'] = { contents: [ANSWER], finish: 'stop', tool_calls: 0 };
