import type { JsonObject } from '../core/canonical-json.js';
import type { Digest } from '../core/digest.js';
import { RecallMatrixError } from '../core/errors.js';
import type { Usage } from './usage.js';

/** The stages of a run that call providers; observations and the ledger group by them. */
export type Stage = 'formation' | 'query' | 'index' | 'reader' | 'judge';

/** One message of a request. Its content is the exact text that is sent. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** The JSON Schema that a completion must satisfy, in the subset that strict structured output allows: every property required, `additionalProperties: false`. */
export interface ResponseSchema {
  readonly name: string;
  readonly schema: JsonObject;
}

/** Every parameter that shapes an answer. Null leaves a parameter to the provider's default, and is bound as such. */
export interface CompletionParameters {
  readonly max_output_tokens: number;
  readonly temperature: number | null;
  readonly top_p: number | null;
  readonly seed: number | null;
  readonly reasoning_effort: 'minimal' | 'low' | 'medium' | 'high' | null;
}

/** The model as resolved from configuration before the send (FB-3). `resolved_at` and `credential_ref` alone are outside every identity. */
export interface ResolvedModel {
  readonly kind: 'openai' | 'anthropic' | 'local' | 'transcript';
  readonly wire_api: 'chat-completions' | 'responses' | 'embeddings' | 'messages' | 'in-process';
  /** The endpoint's URL, or the stable name that its provider entry gives it. */
  readonly endpoint: string;
  readonly model: string;
  /** ISO instant of the resolution. */
  readonly resolved_at: string;
  /** The name of the environment variable that holds the key; never the key. */
  readonly credential_ref: string | null;
}

/** What a request is for. Never sent; bound by the identity. It must not name an arm: all arms share their formation. */
export interface RequestMetadata {
  readonly stage: Stage;
  readonly fixture: string;
  /** The formation batch; null for other stages. */
  readonly batch: string | null;
  /** The question's id; null for formation. */
  readonly question: string | null;
}

/** One request for a structured completion. */
export interface CompletionRequest {
  readonly messages: readonly Message[];
  readonly response_schema: ResponseSchema;
  readonly parameters: CompletionParameters;
  readonly model: ResolvedModel;
  readonly metadata: RequestMetadata;
}

/** Why a provider stopped. Anything that it says and that is none of the others is `other`. */
export type FinishReason = 'stop' | 'length' | 'refusal' | 'content-filter' | 'tool-calls' | 'other';

/** What is kept of a response (FB-7): projected by allow-list, so nothing else of it can reach a file. */
export interface Completion {
  /** The ordinary assistant texts; a supported completion has exactly one. */
  readonly contents: readonly string[];
  readonly finish: FinishReason;
  /** How many tool calls it asked for; a supported completion has none. */
  readonly tool_calls: number;
  readonly reported_model: string | null;
  /** Null where the provider gave none or an impossible one. */
  readonly usage: Usage | null;
}

/** Something that completes: live, metered, recording or replaying. The runtime under test sees this and no more. */
export interface CompletionProvider {
  /**
   * @throws {ProviderFailure} where no completion could be had; `RecallMatrixError` of kind `budget` where the call was not
   * admitted, of kind `bank` where a replay refuses.
   */
  complete(request: CompletionRequest, signal: AbortSignal): Promise<Completion>;
}

/** A call whose body is final: what a reservation is computed from. */
export interface PreparedCall<Result> {
  /** UTF-8 bytes of the exact body that will be sent. */
  readonly body_bytes: number;
  /** Digest of those bytes: what the ledger's reservation names. */
  readonly body_digest: Digest;
  /** The full output limit, reasoning included; 0 for embeddings. */
  readonly max_output_tokens: number;
  /** Sends the body, once. Called by the metered provider alone, after its reservation. */
  send(signal: AbortSignal): Promise<Result>;
}

/** One kind of completion provider. It prepares; it never sends by itself. */
export interface CompletionAdapter {
  /** False for kinds that run in this process or read a file: they never leave it, and cost nothing. */
  readonly leaves_process: boolean;
  prepare(request: CompletionRequest): PreparedCall<Completion>;
}

/** What is certain about the bill of a failed call (LG-4, LG-5). */
export type Billing = 'not-billed' | 'unknown' | { readonly usage: Usage; readonly reported_model: string | null };

/** What kind of failure; each is an outcome of a question or an attempt, never a score. */
export type ProviderFailureReason =
  | 'malformed-response'
  | 'empty-response'
  | 'oversized-response'
  | 'timeout'
  | 'cut-connection'
  | 'unreachable'
  | 'cancelled'
  | 'rate-limited'
  | 'authentication'
  | 'invalid-request'
  | 'server-error'
  | 'missing-completion';

const ASK_AGAIN = 'continue the run, or give the command again; if it comes back, look at the server';
const WRONG_API = "check that the provider's base URL and wire API are those of the server";

/** What can be done about a failure of which nothing more is known. */
const REMEDIES: Readonly<Record<ProviderFailureReason, string>> = {
  'malformed-response': WRONG_API,
  'empty-response': WRONG_API,
  'oversized-response': 'lower max_output_tokens; if it is low, the server sends what was not asked for',
  timeout: "raise the provider's timeout_ms, or lower max_output_tokens",
  'cut-connection': ASK_AGAIN,
  unreachable: "check the provider's base URL, the network and, for a local server, that it runs",
  cancelled: 'continue the run, or give the command again',
  'rate-limited': "wait, lower the concurrency, or check the account's quota",
  authentication: "name the environment variable that holds the key as the provider's api_key_env",
  'invalid-request': 'mend the model or the parameter that the server refuses',
  'server-error': ASK_AGAIN,
  'missing-completion': 'provide the completion, or choose another provider',
};

/** A typed failure of a provider (PR-3): exit 7 where it ends a command. */
export class ProviderFailure extends RecallMatrixError {
  readonly reason: ProviderFailureReason;
  readonly billing: Billing;
  /** HTTP status; null where none came. */
  readonly status: number | null;
  /** From `Retry-After`, in milliseconds; null where not given. */
  readonly retry_after_ms: number | null;

  constructor(
    reason: ProviderFailureReason,
    message: string,
    facts: { billing: Billing; status?: number; retry_after_ms?: number | null } & {
      /** More to the point than what is said of the reason. */
      readonly remedy?: string | undefined;
      readonly cause?: unknown;
    },
  ) {
    super({
      kind: 'provider',
      code: `PROVIDER_${reason.toUpperCase().replaceAll('-', '_')}`,
      message,
      remedy: facts.remedy ?? REMEDIES[reason],
      cause: facts.cause,
    });
    this.reason = reason;
    this.billing = facts.billing;
    this.status = facts.status ?? null;
    this.retry_after_ms = facts.retry_after_ms ?? null;
  }
}
