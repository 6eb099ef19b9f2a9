import { digestBytes } from '../../core/digest.js';
import { internalFault } from '../../core/errors.js';
import type { Completion, CompletionAdapter, CompletionRequest, PreparedCall, ResolvedModel } from '../completion.js';
import { HttpApi, type HttpApiOptions, type PostOnce, type ReadAnswer } from './http-api.js';

/** One completion API: how its requests are written and its answers read. */
export interface CompletionApi {
  readonly kind: ResolvedModel['kind'];
  readonly wire_api: ResolvedModel['wire_api'];
  /** Below the base URL, e.g. `/chat/completions`. */
  readonly path: string;
  readonly post: PostOnce;
  /** The exact body. @throws internal faults for what the API cannot carry. */
  bodyOf(request: CompletionRequest): string;
  readonly read: ReadAnswer<Completion>;
}

/** A prepared call that shows its exact body. */
export interface PreparedCompletion extends PreparedCall<Completion> {
  readonly body: Uint8Array;
}

/** The adapter of a completion API at one endpoint (PR-1). Sends once a `send`, without retries. */
export class HttpCompletionAdapter implements CompletionAdapter {
  readonly leaves_process = true;
  readonly #http: HttpApi;

  /** @throws as `HttpApi` does. */
  constructor(
    private readonly api: CompletionApi,
    options: HttpApiOptions,
  ) {
    this.#http = new HttpApi(options, api.post);
  }

  /** What stands for the endpoint in identities (FB-2). */
  get endpoint(): string {
    return this.#http.endpoint;
  }

  /** @throws internal faults for a request of another kind or endpoint, and for one that the API cannot carry. */
  prepare(request: CompletionRequest): PreparedCompletion {
    const { kind, wire_api, endpoint, model, credential_ref } = request.model;
    if (kind !== this.api.kind || wire_api !== this.api.wire_api || !this.#http.serves(endpoint))
      throw internalFault(
        'WRONG_PROVIDER',
        `a request for ${kind} ${wire_api} at ${endpoint} came to ${this.api.wire_api} at ${this.endpoint}`,
      );
    const body = new TextEncoder().encode(this.api.bodyOf(request));
    return {
      body,
      body_bytes: body.byteLength,
      body_digest: digestBytes(body),
      max_output_tokens: request.parameters.max_output_tokens,
      send: (signal) => this.#http.post(this.api.path, body, { model, credential_ref }, this.api.read, signal),
    };
  }
}
