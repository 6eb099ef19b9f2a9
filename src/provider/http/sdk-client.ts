import type { Transport } from './exchange.js';
import type { WireSettings } from './http-api.js';

// The longest delay that a timer holds: the exchange has its own bound, and ends first.
const NEVER_MS = 2_147_483_647;

/**
 * What every vendor's client is fixed to, so that it sends once (LG-7) and exactly what is given to it: no retries, no time-out and no log of its
 * own, and of the headers that it adds, some of them from the environment, which no identity binds, only the named ones leave.
 *
 * @param sentHeaders names in lower case.
 */
export function sdkClientOptions(settings: WireSettings, transport: Transport, sentHeaders: readonly string[]) {
  return {
    baseURL: settings.base_url,
    // A client wants some key, or looks for one; what is sent for it is set, or taken out, with the request.
    apiKey: settings.api_key ?? 'none',
    maxRetries: 0,
    timeout: NEVER_MS,
    logLevel: 'off' as const,
    fetch: (url: string | URL | Request, init?: RequestInit) =>
      transport(url, { ...init, headers: keepHeaders(init?.headers, sentHeaders) }),
  };
}

function keepHeaders(headers: RequestInit['headers'], names: readonly string[]): Headers {
  return new Headers([...new Headers(headers)].filter(([name]) => names.includes(name)));
}
