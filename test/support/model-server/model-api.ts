import type { ApiError } from './api-error.js';
import type { ScriptedFailure } from './failure-script.js';
import type { ReceivedRequest } from './server.js';

/** Tokens of one answer, as the server counts them. */
export interface AnswerTokens {
  /** Everything that the model reads, cached or not. */
  readonly prompt_tokens: number;
  readonly cached_tokens: number;
  readonly written_tokens: number;
  /** Reasoning included. */
  readonly completion_tokens: number;
  readonly reasoning_tokens: number;
}

/** What any API's request comes down to. */
export interface ModelRequest {
  readonly model: string;
  /** Null: no limit. */
  readonly max_output_tokens: number | null;
  readonly prompt_tokens: number;
  /** The schema of the answer; null where none is asked for. */
  readonly schema: Record<string, unknown> | null;
  /** The same request in the words of Chat Completions, for whoever answers it. */
  readonly chat: ChatWords;
  /** As it came. */
  readonly body: unknown;
}

/** What an answering function reads of a request. */
export interface ChatWords {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly response_format?: {
    readonly type: string;
    readonly json_schema?: { readonly name: string; readonly schema: Record<string, unknown> };
  };
  readonly max_completion_tokens?: number;
  readonly [field: string]: unknown;
}

/** What an answer is made from. */
export interface AnswerParts {
  readonly index: number;
  readonly request: ModelRequest;
  readonly content: string;
  readonly isCut: boolean;
  readonly tokens: AnswerTokens;
  readonly failure: ScriptedFailure | null;
}

/** One API of the server: what it refuses, and how it words answers and errors. */
export interface ModelApi {
  readonly path: string;
  /** The refusal that a request earns; null where it passes. */
  refuse(request: ReceivedRequest, apiKey: string | null, models: ReadonlySet<string>): ApiError | null;
  /** Reads a body that passed. */
  read(body: unknown): ModelRequest;
  /** The text of a 200 answer. */
  answer(parts: AnswerParts): string;
  error(status: number, message: string, code?: string | null): ApiError;
}
