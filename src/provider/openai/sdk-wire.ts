import type { Transport } from '../http/exchange.js';
import type { WireSettings } from '../http/http-api.js';
import { sdkClientOptions } from '../http/sdk-client.js';

/** Headers that leave. The SDK adds others, some of them from the environment (`OPENAI_CUSTOM_HEADERS`), which no identity binds. */
const SENT_HEADERS = ['accept', 'authorization', 'content-type', 'user-agent'];

/**
 * Posts exactly these bytes to a path with the `openai` package, once: retries are off (LG-7), and what its client would take from the
 * environment is fixed. The package is loaded by the first call, so that nothing else waits for it.
 *
 * @param transport does the exchange, its time and cancellation included: the client leaves a listener on every signal that it is
 * given. It is called at most once, and its answer is the caller's to keep.
 */
export async function postWithSdk(
  settings: WireSettings,
  path: string,
  body: Uint8Array,
  transport: Transport,
): Promise<void> {
  const { OpenAI } = await import('openai');
  const client = new OpenAI({
    ...sdkClientOptions(settings, transport, SENT_HEADERS),
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
  });
  await client
    .post(path, {
      body,
      headers: {
        'Content-Type': 'application/json',
        Authorization: settings.api_key === null ? null : `Bearer ${settings.api_key}`,
      },
    })
    .asResponse();
}
