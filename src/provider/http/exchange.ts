import type { Clock } from '../../core/clock.js';

/** A transport with the signature of `fetch`. */
export type Transport = typeof fetch;

/** The bounds of one exchange. */
export interface ExchangeBounds {
  readonly timeout_ms: number;
  readonly max_response_bytes: number;
}

/** How a single HTTP exchange ended. Once a status is there, it is told, even where the body could not be read. */
export type Exchange =
  | { readonly kind: 'answered'; readonly status: number; readonly retry_after: string | null; readonly body: Body }
  /** No status came. `sent` is false only where it is certain that no byte of the request left. */
  | {
      readonly kind: 'failed';
      readonly why: 'timeout' | 'cancelled' | 'connection';
      readonly sent: boolean;
      readonly detail: string;
    };

/** An answer's body, decoded as UTF-8, or why it is not there. */
export type Body =
  | { readonly kind: 'whole'; readonly text: string }
  | { readonly kind: 'timeout' | 'cancelled' | 'cut' | 'oversized' | 'not-utf8' };

// https://nodejs.org/api/errors.html#common-system-errors, https://undici.nodejs.org/#/docs/api/Errors and
// https://nodejs.org/api/tls.html#x509-certificate-error-codes: what ends a connection before HTTP begins.
const NEVER_CONNECTED = new Set(['connect', 'getaddrinfo']);
const NEVER_CONNECTED_CODES =
  /^(?:UND_ERR_CONNECT_TIMEOUT|ERR_TLS_CERT_ALTNAME_INVALID|ERR_SSL_.+|CERT_.+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.+)$/;

// https://fetch.spec.whatwg.org/#port-blocking: undici's only word for it, without a code.
const BLOCKED_PORT = 'bad port';

/**
 * Sends one request and reads its answer within the bounds (PR-3): time covers everything up to the last byte, the byte bound
 * holds while the body streams in, after decompression. Never throws for what the other side does.
 */
export async function exchange(
  transport: Transport,
  url: string,
  init: RequestInit,
  bounds: ExchangeBounds,
  clock: Clock,
  signal: AbortSignal,
): Promise<Exchange> {
  const stop = new AbortController();
  let why: 'timeout' | 'cancelled' | null = null;
  const end = (reason: 'timeout' | 'cancelled'): void => {
    why ??= reason;
    stop.abort();
  };
  const onAbort = (): void => end('cancelled');
  signal.addEventListener('abort', onAbort, { once: true });
  const timer = new AbortController();
  const watch = clock.sleep(bounds.timeout_ms, timer.signal).then(
    () => end('timeout'),
    // The timer was called off below: the exchange ended first.
    () => undefined,
  );
  try {
    if (signal.aborted) return { kind: 'failed', why: 'cancelled', sent: false, detail: 'before it was sent' };
    // A redirect would be a second send, which nobody reserved.
    const answer = await transport(url, { ...init, redirect: 'manual', signal: stop.signal });
    const body = await readBody(answer, bounds.max_response_bytes, stop.signal);
    return {
      kind: 'answered',
      status: answer.status,
      retry_after: answer.headers.get('retry-after'),
      body: body.kind === 'cut' && why !== null ? { kind: why } : body,
    };
  } catch (error) {
    return why === null ? connectionFailure(error) : { kind: 'failed', why, sent: true, detail: 'no answer yet' };
  } finally {
    signal.removeEventListener('abort', onAbort);
    timer.abort();
    await watch;
  }
}

async function readBody(answer: Response, limitBytes: number, signal: AbortSignal): Promise<Body> {
  if (answer.body === null) return { kind: 'whole', text: '' };
  const reader = answer.body.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // An injected transport need not end its body's stream when the signal fires.
  const aborted = new Promise<never>((_resolve, reject) => {
    const onAbort = (): void => reject(new Error('stopped'));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), aborted]);
      if (done) break;
      bytes += value.byteLength;
      if (bytes > limitBytes) return await abandon(reader, 'oversized');
      chunks.push(value);
    }
  } catch {
    return await abandon(reader, 'cut');
  }
  try {
    return { kind: 'whole', text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)) };
  } catch {
    return { kind: 'not-utf8' };
  }
}

async function abandon(reader: ReadableStreamDefaultReader<Uint8Array>, kind: 'oversized' | 'cut'): Promise<Body> {
  // A stream that already failed rejects its cancellation with the failure that `kind` tells.
  void reader.cancel().catch(() => undefined);
  return { kind };
}

function connectionFailure(error: unknown): Exchange {
  const causes = [...causesOf(error)];
  if (causes.some(({ message }) => message === BLOCKED_PORT))
    return { kind: 'failed', why: 'connection', sent: false, detail: BLOCKED_PORT };
  const coded = causes.find((cause) => typeof cause.code === 'string');
  const code = typeof coded?.code === 'string' ? coded.code : 'no code';
  if (/^UND_ERR_(?:HEADERS|BODY)_TIMEOUT$/.test(code))
    return { kind: 'failed', why: 'timeout', sent: true, detail: code };
  const leaves = causes.filter((cause) => !Array.isArray(cause.errors) && cause.code !== undefined);
  const neverConnected = leaves.length > 0 && leaves.every(isBeforeHttp);
  return { kind: 'failed', why: 'connection', sent: !neverConnected, detail: code };
}

type Cause = { message?: unknown; code?: unknown; syscall?: unknown; cause?: unknown; errors?: unknown };

function isBeforeHttp({ code, syscall }: Cause): boolean {
  return NEVER_CONNECTED.has(String(syscall)) || NEVER_CONNECTED_CODES.test(String(code));
}

/** An error, its causes, and each address's error where several were tried. */
function* causesOf(error: unknown, depth = 0): Generator<Cause> {
  if (typeof error !== 'object' || error === null || depth > 8) return;
  const cause = error as Cause;
  yield cause;
  yield* causesOf(cause.cause, depth + 1);
  if (Array.isArray(cause.errors)) for (const each of cause.errors) yield* causesOf(each, depth + 1);
}
