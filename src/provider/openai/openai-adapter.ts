import { type Clock, systemClock } from '../../core/clock.js';
import { digestBytes } from '../../core/digest.js';
import { internalFault, invalidInput } from '../../core/errors.js';
import {
  type Completion,
  type CompletionAdapter,
  type CompletionRequest,
  type PreparedCall,
  ProviderFailure,
} from '../completion.js';
import { chatCompletionsBody } from './chat-completions-body.js';
import { readChatCompletion } from './chat-completions-response.js';
import { isSameEndpoint, normaliseBaseUrl } from './endpoint.js';
import { type Exchange, exchange, type Transport } from './exchange.js';
import { failureOf } from './failures.js';
import { redact } from './redaction.js';
import { postWithSdk } from './sdk-wire.js';

/** The largest answer that is read, unless said otherwise: 8 MiB, as a whole bank. */
export const DEFAULT_MAX_RESPONSE_BYTES = 8_388_608;

/** How to reach a Chat Completions endpoint. */
export interface ChatCompletionsOptions {
  /** E.g. `https://api.openai.com/v1`. */
  readonly base_url: string;
  /** The stable name that stands for the endpoint in identities; null: its URL does. */
  readonly endpoint_name: string | null;
  /** Null where the endpoint asks for none. */
  readonly api_key: string | null;
  /** From the send to the last byte of the answer. */
  readonly timeout_ms: number;
  readonly max_response_bytes?: number;
  readonly fetch?: Transport;
  readonly clock?: Clock;
}

/** The adapter of a provider entry of kind `openai`. @throws as its constructor does. */
export function createOpenAiAdapter(options: ChatCompletionsOptions): ChatCompletionsAdapter {
  return new ChatCompletionsAdapter(options);
}

/** A prepared call that shows its exact body. */
export interface PreparedChatCompletion extends PreparedCall<Completion> {
  readonly body: Uint8Array;
}

/** Kind `openai` over Chat Completions with strict structured output (PR-1), of any base URL. Sends once a `send`, without retries. */
export class ChatCompletionsAdapter implements CompletionAdapter {
  readonly leaves_process = true;
  /** What stands for the endpoint in identities (FB-2): its name, or else its URL. */
  readonly endpoint: string;
  readonly #settings: { readonly base_url: string; readonly api_key: string | null };
  readonly #bounds: { readonly timeout_ms: number; readonly max_response_bytes: number };
  readonly #transport: Transport;
  readonly #clock: Clock;

  /** @throws `invalid-input` errors `BASE_URL_INVALID` and `API_KEY_INVALID` (a key that no header can carry). */
  constructor(options: ChatCompletionsOptions) {
    if (options.api_key !== null && !/^[\x21-\x7e]+$/.test(options.api_key))
      throw invalidInput('API_KEY_INVALID', 'an API key is empty, or holds white space or characters outside ASCII', {
        remedy: 'set the environment variable that api_key_env names to the bare key',
      });
    this.#settings = { base_url: normaliseBaseUrl(options.base_url), api_key: options.api_key };
    this.#bounds = {
      timeout_ms: options.timeout_ms,
      max_response_bytes: options.max_response_bytes ?? DEFAULT_MAX_RESPONSE_BYTES,
    };
    this.endpoint = options.endpoint_name ?? this.#settings.base_url;
    this.#transport = options.fetch ?? fetch;
    this.#clock = options.clock ?? systemClock;
  }

  /** @throws internal faults for a request of another kind or endpoint, and for one that strict mode cannot carry. */
  prepare(request: CompletionRequest): PreparedChatCompletion {
    const { kind, wire_api, endpoint } = request.model;
    if (kind !== 'openai' || wire_api !== 'chat-completions' || !isSameEndpoint(endpoint, this.endpoint))
      throw internalFault(
        'WRONG_PROVIDER',
        `a request for ${kind} ${wire_api} at ${endpoint} came to chat-completions at ${this.endpoint}`,
      );
    const body = new TextEncoder().encode(chatCompletionsBody(request));
    return {
      body,
      body_bytes: body.byteLength,
      body_digest: digestBytes(body),
      max_output_tokens: request.parameters.max_output_tokens,
      send: (signal) => this.#send(body, request, signal),
    };
  }

  async #send(body: Uint8Array, request: CompletionRequest, signal: AbortSignal): Promise<Completion> {
    const result = await this.#exchange(body, signal);
    const { api_key } = this.#settings;
    if (result.kind === 'answered' && result.status >= 200 && result.status <= 299 && result.body.kind === 'whole') {
      return readChatCompletion(result.body.text, result.status, api_key);
    }
    throw failureOf(result, {
      endpoint: this.endpoint,
      api_key,
      credential_ref: request.model.credential_ref,
      model: request.model.model,
      now_iso: this.#clock.now(),
      ...this.#bounds,
    });
  }

  async #exchange(body: Uint8Array, signal: AbortSignal): Promise<Exchange> {
    const outcome: { exchange: Exchange | null } = { exchange: null };
    const transport: Transport = async (url, init) => {
      outcome.exchange = await exchange(this.#transport, String(url), init ?? {}, this.#bounds, this.#clock, signal);
      // The SDK would read bodies without a bound: it is handed none, and the exchange is judged here.
      return new Response(null, { status: 204 });
    };
    let fault: unknown = 'it sent nothing';
    try {
      await postWithSdk(this.#settings, '/chat/completions', body, transport);
    } catch (error) {
      fault = error;
    }
    if (outcome.exchange !== null) return outcome.exchange;
    throw this.#sdkFault(fault);
  }

  /** The SDK failed by itself, before anything was sent. */
  #sdkFault(error: unknown): ProviderFailure {
    const words = error instanceof Error ? error.message : String(error);
    return new ProviderFailure(
      'unreachable',
      `the request to ${this.endpoint} could not be sent: ${redact(words, this.#settings.api_key)}`,
      { billing: 'not-billed' },
    );
  }
}
