import { type Clock, manualClock } from '../../src/core/clock.js';
import { digestText } from '../../src/core/digest.js';
import type { Attribution, Ledger } from '../../src/ledger/ledger.js';
import type {
  Completion,
  CompletionAdapter,
  CompletionProvider,
  CompletionRequest,
} from '../../src/provider/completion.js';
import { type MeteredCall, meterCompletions } from '../../src/provider/metered.js';
import type { PriceEntry } from '../../src/provider/prices.js';
import type { Usage } from '../../src/provider/usage.js';
import { readerCall } from './ledger-bench.js';

/** 100 nano-dollars an input token, 1,000 an output token. */
export const roundPrice: PriceEntry = {
  model: 'm',
  as_of: '2026-05-01',
  source: null,
  tiers: [{ above_input_tokens: 0, input: '0.10', cache_read: '0.01', cache_write: null, output: '1.00' }],
};

/** The worst case of `adapterOf`'s calls at `roundPrice`: (90 + 10) x 100 + 20 x 1,000. */
export const WORST_CASE = 30_000n;
export const BODY = digestText('body');

export const usageOf = (parts: Partial<Usage>): Usage => ({
  input_uncached: 0,
  cache_read: 0,
  cache_write: 0,
  output: 0,
  reasoning: 0,
  ...parts,
});

export const completionOf = (usage: Usage | null, content = 'x'): Completion => ({
  contents: [content],
  finish: 'stop',
  tool_calls: 0,
  reported_model: 'm-2026',
  usage,
});

export const requestOf = (model = 'm'): CompletionRequest => ({
  messages: [{ role: 'user', content: 'x' }],
  response_schema: { name: 'answer', schema: {} },
  parameters: { max_output_tokens: 20, temperature: 0, top_p: null, seed: null, reasoning_effort: null },
  model: {
    kind: 'openai',
    wire_api: 'chat-completions',
    endpoint: 'e',
    model,
    resolved_at: '2026-01-01T00:00:00.000Z',
    credential_ref: null,
  },
  metadata: { stage: 'reader', fixture: 'harbour-clinic', batch: null, question: 'q1' },
});

export type Send = (signal: AbortSignal) => Promise<Completion>;

/** An adapter of calls with a body of 90 bytes and an output limit of 20 tokens. */
export function adapterOf(send: Send, leavesProcess = true): CompletionAdapter {
  return {
    leaves_process: leavesProcess,
    prepare: () => ({ body_bytes: 90, body_digest: BODY, max_output_tokens: 20, send }),
  };
}

export interface Metered {
  readonly provider: CompletionProvider;
  readonly calls: MeteredCall[];
}

export function meterOf(
  ledger: Ledger,
  send: Send,
  options: { price?: PriceEntry | null; leavesProcess?: boolean; clock?: Clock; attribution?: Attribution } = {},
): Metered {
  const calls: MeteredCall[] = [];
  const provider = meterCompletions({
    adapter: adapterOf(send, options.leavesProcess),
    ledger,
    price: options.price === undefined ? roundPrice : options.price,
    attribution: () => options.attribution ?? readerCall,
    overheadTokens: 10,
    clock: options.clock ?? manualClock(),
    onCall: (call) => calls.push(call),
  });
  return { provider, calls };
}

/** A signal that never fires. */
export const calm = (): AbortSignal => new AbortController().signal;
