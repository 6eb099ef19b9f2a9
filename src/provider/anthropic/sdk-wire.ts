import type { Transport } from '../http/exchange.js';
import type { WireSettings } from '../http/http-api.js';
import { sdkClientOptions } from '../http/sdk-client.js';

/** https://platform.claude.com/docs/en/api/versioning */
const API_VERSION = '2023-06-01';

/** Headers that leave. The SDK adds others, some of them from the environment (`ANTHROPIC_CUSTOM_HEADERS`), which no identity binds. */
const SENT_HEADERS = ['accept', 'anthropic-version', 'content-type', 'user-agent', 'x-api-key'];

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
    ...sdkClientOptions(settings, transport, SENT_HEADERS),
    authToken: null,
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
