import type { Transport } from '../http/exchange.js';
import type { WireSettings } from '../http/http-api.js';

/** https://platform.claude.com/docs/en/api/versioning */
const API_VERSION = '2023-06-01';

/** Headers that leave. The SDK adds others, some of them from the environment (`ANTHROPIC_CUSTOM_HEADERS`), which no identity binds. */
const SENT_HEADERS = ['accept', 'anthropic-version', 'content-type', 'user-agent', 'x-api-key'];

// The longest delay that a timer holds: the exchange has its own bound, and ends first.
const NEVER_MS = 2_147_483_647;

/**
 * Posts exactly these bytes to a path with the `@anthropic-ai/sdk` package, once: retries are off (LG-7), and what its client would take
 * from the environment or from a profile on disk is fixed. The package is loaded by the first call, so that nothing else waits for it.
 */
export async function postWithSdk(
  settings: WireSettings,
  path: string,
  body: Uint8Array,
  transport: Transport,
): Promise<void> {
  const { Anthropic } = await import('@anthropic-ai/sdk');
  const client = new Anthropic({
    baseURL: settings.base_url,
    // The client wants some key, or looks for one; the header that the reference names is set below.
    apiKey: settings.api_key ?? 'none',
    authToken: null,
    maxRetries: 0,
    timeout: NEVER_MS,
    logLevel: 'off',
    fetch: (url, init) => transport(url, { ...init, headers: keepSentHeaders(init?.headers) }),
  });
  await client
    .post(path, {
      body,
      headers: {
        'Content-Type': 'application/json',
        'anthropic-version': API_VERSION,
        'x-api-key': settings.api_key,
        Authorization: null,
      },
    })
    .asResponse();
}

function keepSentHeaders(headers: RequestInit['headers']): Headers {
  return new Headers([...new Headers(headers)].filter(([name]) => SENT_HEADERS.includes(name)));
}
