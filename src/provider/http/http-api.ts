import { type Clock, systemClock } from '../../core/clock.js';
import { invalidInput } from '../../core/errors.js';
import { ProviderFailure } from '../completion.js';
import { isSameEndpoint, normaliseBaseUrl } from './endpoint.js';
import { type Exchange, exchange, type Transport } from './exchange.js';
import { failureOf } from './failures.js';
import { redact } from './redaction.js';

/** The largest answer that is read, unless said otherwise: 8 MiB, as a whole bank. */
export const DEFAULT_MAX_RESPONSE_BYTES = 8_388_608;

/** How to reach an API over HTTP. */
export interface HttpApiOptions {
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

/** Where and as whom to post. */
export interface WireSettings {
  readonly base_url: string;
  readonly api_key: string | null;
}

/**
 * Posts exactly these bytes to a path, once, by a vendor's package. `transport` does the exchange, its time and cancellation included; it is
 * called at most once, and its answer is the caller's to keep.
 */
export type PostOnce = (settings: WireSettings, path: string, body: Uint8Array, transport: Transport) => Promise<void>;

/** What an error may name of a request. */
export interface RequestFacts {
  readonly model: string;
  readonly credential_ref: string | null;
}

/** Reads a successful answer's text. The key is there to be taken out of what is kept. */
export type ReadAnswer<Result> = (text: string, status: number, apiKey: string | null) => Result;

/** An API at one endpoint: sends prepared bytes once, without retries, and judges how the exchange ended (PR-3). */
export class HttpApi {
  /** What stands for the endpoint in identities (FB-2): its name, or else its URL. */
  readonly endpoint: string;
  readonly #post: PostOnce;
  readonly #settings: WireSettings;
  readonly #bounds: { readonly timeout_ms: number; readonly max_response_bytes: number };
  readonly #transport: Transport;
  readonly #clock: Clock;

  /** @throws `invalid-input` errors `BASE_URL_INVALID` and `API_KEY_INVALID` (a key that no header can carry). */
  constructor(options: HttpApiOptions, post: PostOnce) {
    if (options.api_key !== null && !/^[\x21-\x7e]+$/.test(options.api_key))
      throw invalidInput('API_KEY_INVALID', 'an API key is empty, or holds white space or characters outside ASCII', {
        remedy: 'set the environment variable that api_key_env names to the bare key',
      });
    this.#post = post;
    this.#settings = { base_url: normaliseBaseUrl(options.base_url), api_key: options.api_key };
    this.#bounds = {
      timeout_ms: options.timeout_ms,
      max_response_bytes: options.max_response_bytes ?? DEFAULT_MAX_RESPONSE_BYTES,
    };
    this.endpoint = options.endpoint_name ?? this.#settings.base_url;
    this.#transport = options.fetch ?? fetch;
    this.#clock = options.clock ?? systemClock;
  }

  /** Whether a resolved model's endpoint is this one. */
  serves(endpoint: string): boolean {
    return isSameEndpoint(endpoint, this.endpoint);
  }

  /** Sends a body once, and reads a whole answer with a 2xx status. @throws {ProviderFailure} for any other end, and what `read` throws. */
  async post<Result>(
    path: string,
    body: Uint8Array,
    facts: RequestFacts,
    read: ReadAnswer<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    const result = await this.#exchange(path, body, signal);
    const { api_key } = this.#settings;
    if (result.kind === 'answered' && result.status >= 200 && result.status <= 299 && result.body.kind === 'whole') {
      return read(result.body.text, result.status, api_key);
    }
    throw failureOf(result, {
      endpoint: this.endpoint,
      api_key,
      ...facts,
      now_iso: this.#clock.now(),
      ...this.#bounds,
    });
  }

  async #exchange(path: string, body: Uint8Array, signal: AbortSignal): Promise<Exchange> {
    const outcome: { exchange: Exchange | null } = { exchange: null };
    const transport: Transport = async (url, init) => {
      outcome.exchange = await exchange(this.#transport, String(url), init ?? {}, this.#bounds, this.#clock, signal);
      // The SDK would read bodies without a bound: it is handed none, and the exchange is judged here.
      return new Response(null, { status: 204 });
    };
    let fault: unknown = 'it sent nothing';
    try {
      await this.#post(this.#settings, path, body, transport);
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
