/** What the server does instead of answering well. Content failures are billed like answers: the tokens were made. */
export type ScriptedFailure =
  /** Any content, as it stands. */
  | { readonly kind: 'content'; readonly content: string }
  /** Prose where JSON was asked for. */
  | { readonly kind: 'wrong-json' }
  /** The output limit was reached: half the content, `finish_reason` length. */
  | { readonly kind: 'truncated' }
  | { readonly kind: 'refusal' }
  | { readonly kind: 'content-filter' }
  | { readonly kind: 'tool-calls' }
  | { readonly kind: 'several-choices' }
  | { readonly kind: 'no-choices' }
  | { readonly kind: 'empty-content' }
  /** An error status with OpenAI's error shape. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly message?: string;
      readonly code?: string | null;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** An error status that repeats the received Authorization header, as careless proxies do. */
  | { readonly kind: 'echo-authorization'; readonly status: number }
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'cut-before-headers' }
  | { readonly kind: 'cut-mid-body' }
  /** Reads the request and says nothing. */
  | { readonly kind: 'silence' }
  /** Headers, then white space without end. */
  | { readonly kind: 'never-ends' }
  | { readonly kind: 'slow'; readonly ms: number }
  | { readonly kind: 'missing-usage' }
  /** Any usage at all. */
  | { readonly kind: 'usage'; readonly usage: unknown }
  /** The literal NaN, which Python's encoder writes and JSON does not know. */
  | { readonly kind: 'nan-usage' }
  | { readonly kind: 'zero-usage' }
  | { readonly kind: 'changed-model'; readonly model: string }
  /** A whole, valid answer padded to more than this many bytes. */
  | { readonly kind: 'oversized'; readonly bytes: number }
  /** Any body with status 200. */
  | { readonly kind: 'body'; readonly body: string }
  /** The good answer less one top-level field. */
  | { readonly kind: 'without-field'; readonly field: string };

/** When a scripted failure strikes: at a request's index (from 0, over all requests), or where the predicate holds. */
export interface FailureRule {
  readonly when: number | ((body: unknown, index: number) => boolean);
  readonly failure: ScriptedFailure;
}

/** Failures in the order of their use: queued ones first, then the first rule that fits. */
export class FailureScript {
  readonly #rules: readonly FailureRule[];
  readonly #queue: ScriptedFailure[] = [];

  constructor(rules: readonly FailureRule[]) {
    this.#rules = rules;
  }

  queue(failure: ScriptedFailure, times: number): void {
    for (let time = 0; time < times; time += 1) this.#queue.push(failure);
  }

  next(body: unknown, index: number): ScriptedFailure | null {
    const queued = this.#queue.shift();
    if (queued !== undefined) return queued;
    const rule = this.#rules.find(({ when }) => (typeof when === 'number' ? when === index : when(body, index)));
    return rule?.failure ?? null;
  }
}
