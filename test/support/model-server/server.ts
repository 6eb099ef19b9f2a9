import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { ApiError } from './api-error.js';
import { Bill, type BillLine, countTokens, type TokenPrices } from './bill.js';
import { type FailureRule, FailureScript, type ScriptedFailure } from './failure-script.js';
import { generateAnswer } from './generate-answer.js';
import type { AnswerTokens, ModelApi, ModelRequest } from './model-api.js';

/** How the server behaves. */
export interface ModelServerOptions {
  /** Null: no key is asked for. Default `sk-test-0123456789abcdef`. */
  readonly api_key?: string | null;
  /** The models that it serves, with their prices. Default `gpt-test-1`. */
  readonly models?: Readonly<Record<string, TokenPrices>>;
  /** What it answers: a request body to a content. Default: a conforming value of the schema. */
  readonly answer?: (request: ModelRequest['chat'], index: number) => string | Promise<string>;
  readonly failures?: readonly FailureRule[];
  /** Added to every answer. */
  readonly latency_ms?: number;
  /** Reasoning tokens of every answer, part of its completion tokens. */
  readonly reasoning_tokens?: number;
  /** How many prompt tokens of every request the cache serves, at most. */
  readonly cached_tokens?: number;
  /** How many prompt tokens of every request are written to the cache, at most. */
  readonly written_tokens?: number;
}

/** One request as it came. */
export interface ReceivedRequest {
  readonly index: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly raw: Buffer;
  /** Undefined where the body is not JSON. */
  readonly body: unknown;
  /** What was answered; null while it is not, or where the connection was cut. */
  status: number | null;
  /** The answer's body, as far as it was sent. */
  answered: string;
}

/** A running server. */
export interface ModelServer {
  /** The base URL, `http://127.0.0.1:PORT` and the API's prefix. */
  readonly url: string;
  readonly api_key: string | null;
  readonly requests: readonly ReceivedRequest[];
  /** The provider's own bill, at the most that it could charge. */
  bill(): { readonly nano_usd: bigint; readonly lines: readonly BillLine[] };
  /** Fails the next requests. */
  failNext(failure: ScriptedFailure, times?: number): void;
  /** Resolves once this many requests have come in. */
  received(count: number): Promise<void>;
  close(): Promise<void>;
}

const DEFAULT_MODELS: Readonly<Record<string, TokenPrices>> = {
  'gpt-test-1': { input_nano_usd: 150n, output_nano_usd: 600n },
};

/** Starts a server of these APIs on a free loopback port. It shares no code with the product. */
export async function startModelServer(
  apis: readonly ModelApi[],
  prefix: string,
  options: ModelServerOptions = {},
): Promise<ModelServer> {
  const state = new ServerState(apis, options);
  const server = createServer((request, response) => void state.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    api_key: state.apiKey,
    requests: state.requests,
    bill: () => state.bill.total(),
    failNext: (failure, times = 1) => state.script.queue(failure, times),
    received: (count) => state.received(count),
    close: () =>
      new Promise((resolve) => {
        state.closing.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

class ServerState {
  readonly apiKey: string | null;
  readonly requests: ReceivedRequest[] = [];
  readonly bill = new Bill();
  readonly script: FailureScript;
  readonly closing = new AbortController();
  readonly #options: ModelServerOptions;
  readonly #models: Readonly<Record<string, TokenPrices>>;
  #waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  constructor(
    private readonly apis: readonly ModelApi[],
    options: ModelServerOptions,
  ) {
    this.#options = options;
    this.apiKey = options.api_key === undefined ? 'sk-test-0123456789abcdef' : options.api_key;
    this.#models = options.models ?? DEFAULT_MODELS;
    this.script = new FailureScript(options.failures ?? []);
  }

  received(count: number): Promise<void> {
    if (this.requests.length >= count) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ count, resolve }));
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const log = await this.#log(request);
      const api = this.apis.find(({ path }) => path === log.path) ?? (this.apis[0] as ModelApi);
      const refusal = this.#refusal(api, log);
      if (refusal !== null) return sendError(response, log, refusal, {});
      await this.#respond(api, log, api.read(log.body), response);
    } catch {
      // The client left, or the server is closing: there is nobody to tell.
      response.destroy();
    }
  }

  async #log(request: IncomingMessage): Promise<ReceivedRequest> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks);
    const log: ReceivedRequest = {
      index: this.requests.length,
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      raw,
      body: parseOrUndefined(raw.toString('utf8')),
      status: null,
      answered: '',
    };
    this.requests.push(log);
    this.#waiting = this.#waiting.filter(({ count, resolve }) => {
      if (this.requests.length >= count) resolve();
      return this.requests.length < count;
    });
    return log;
  }

  #refusal(api: ModelApi, log: ReceivedRequest): ApiError | null {
    const { method, path } = log;
    if (path !== api.path) return api.error(404, `Invalid URL (${method} ${path})`);
    if (method !== 'POST') return api.error(405, `Not allowed to ${method} on ${path}`);
    return api.refuse(log, this.apiKey, new Set(Object.keys(this.#models)));
  }

  async #respond(api: ModelApi, log: ReceivedRequest, request: ModelRequest, response: ServerResponse): Promise<void> {
    const failure = this.script.next(log.body, log.index);
    if (failure?.kind === 'status' || failure?.kind === 'echo-authorization' || failure?.kind === 'redirect') {
      // A 5xx may come after the work was done: the most that could be charged is all of it.
      const status = failure.kind === 'redirect' ? 307 : failure.status;
      if (status >= 500 || status === 408) this.#charge(log, request, this.#mostTokens(request));
      return sendStatus(api, response, log, failure);
    }
    const latency = (this.#options.latency_ms ?? 0) + (failure?.kind === 'slow' ? failure.ms : 0);
    const isLost =
      failure !== null && ['cut-before-headers', 'cut-mid-body', 'silence', 'never-ends'].includes(failure.kind);
    // Charged before the wait: whoever hangs up meanwhile is billed all the same.
    const limit = request.max_output_tokens ?? Number.POSITIVE_INFINITY;
    const reasoning = Math.min(this.#options.reasoning_tokens ?? 0, limit);
    const { content, isCut } = limitTokens(await this.#answer(request, log.index), limit - reasoning);
    const tokens = this.#tokens(request, limit === 0 ? 0 : countTokens(content) + reasoning, reasoning);
    this.#charge(log, request, isLost ? this.#mostTokens(request) : tokens);
    if (latency > 0) await wait(latency, undefined, { signal: this.closing.signal });
    const text =
      failure?.kind === 'body'
        ? failure.body
        : api.answer({ index: log.index, request, content, isCut, tokens, failure });
    await deliver(response, log, text, failure, this.closing.signal);
  }

  async #answer({ chat, schema, max_output_tokens }: ModelRequest, index: number): Promise<string> {
    // Embeddings say nothing.
    if (max_output_tokens === 0) return '';
    if (this.#options.answer !== undefined) return this.#options.answer(chat, index);
    return schema === null ? 'text' : generateAnswer(schema);
  }

  #tokens(request: ModelRequest, completion_tokens: number, reasoning_tokens: number): AnswerTokens {
    const { prompt_tokens } = request;
    const cached_tokens = Math.min(this.#options.cached_tokens ?? 0, prompt_tokens);
    const written_tokens = Math.min(this.#options.written_tokens ?? 0, prompt_tokens - cached_tokens);
    return { prompt_tokens, cached_tokens, written_tokens, completion_tokens, reasoning_tokens };
  }

  #mostTokens(request: ModelRequest): AnswerTokens {
    return { ...this.#tokens(request, request.max_output_tokens ?? 0, 0), cached_tokens: 0 };
  }

  #charge(log: ReceivedRequest, { model }: ModelRequest, tokens: AnswerTokens): void {
    const { reasoning_tokens: _within, ...billed } = tokens;
    this.bill.charge(log.index, model, this.#models[model] as TokenPrices, billed);
  }
}

/** A real model stops at the limit, in the middle of whatever it says. */
function limitTokens(content: string, limit: number): { content: string; isCut: boolean } {
  if (countTokens(content) <= limit) return { content, isCut: false };
  const bytes = Buffer.from(content).subarray(0, Math.max(0, limit) * 4);
  return { content: new TextDecoder().decode(bytes).replace(/\ufffd+$/, ''), isCut: true };
}

async function deliver(
  response: ServerResponse,
  log: ReceivedRequest,
  text: string,
  failure: ScriptedFailure | null,
  closing: AbortSignal,
): Promise<void> {
  if (failure?.kind === 'cut-before-headers') {
    response.destroy();
    return;
  }
  if (failure?.kind === 'silence') return;
  log.status = 200;
  const headers = { 'content-type': 'application/json', 'x-request-id': `req_${log.index}` };
  if (failure?.kind === 'cut-mid-body') {
    response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(text) });
    log.answered = text.slice(0, Math.floor(text.length / 2));
    response.write(log.answered, () => response.destroy());
    return;
  }
  response.writeHead(200, headers);
  if (failure?.kind === 'never-ends') {
    while (!response.destroyed) {
      response.write(' ');
      await wait(5, undefined, { signal: closing });
    }
    return;
  }
  log.answered = text;
  response.end(text);
}

function sendStatus(
  api: ModelApi,
  response: ServerResponse,
  log: ReceivedRequest,
  failure: Extract<ScriptedFailure, { kind: 'status' | 'echo-authorization' | 'redirect' }>,
): void {
  if (failure.kind === 'redirect') {
    log.status = 307;
    response.writeHead(307, { location: failure.location }).end();
    return;
  }
  if (failure.kind === 'echo-authorization') {
    const echoed = String(log.headers.authorization ?? log.headers['x-api-key']);
    const message = `Incorrect API key provided: ${echoed.replace('Bearer ', '')}. The header was Authorization: ${echoed}`;
    sendError(response, log, api.error(failure.status, message), {});
    return;
  }
  const error = api.error(failure.status, failure.message ?? `Scripted ${failure.status}.`, failure.code ?? null);
  sendError(response, log, error, failure.headers ?? {});
}

function sendError(
  response: ServerResponse,
  log: ReceivedRequest,
  error: ApiError,
  headers: Readonly<Record<string, string>>,
): void {
  log.status = error.status;
  log.answered = JSON.stringify(error.body);
  response.writeHead(error.status, { 'content-type': 'application/json', ...headers }).end(log.answered);
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
