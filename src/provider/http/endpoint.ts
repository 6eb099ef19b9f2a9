import { invalidInput } from '../../core/errors.js';

/**
 * A base URL as it is stored and bound: absolute, http or https, no trailing slash.
 *
 * @throws `invalid-input` error `BASE_URL_INVALID` where it is none, or holds credentials, a query or a fragment. The URL is not
 * repeated in the message: it may hold the key.
 */
export function normaliseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) throw refusal('is not an absolute URL');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refusal('is neither http nor https');
  if (url.username !== '' || url.password !== '') throw refusal('holds credentials');
  if (url.search !== '' || url.hash !== '') throw refusal('has a query or a fragment');
  return url.href.replace(/\/+$/, '');
}

/** Whether two endpoints, each a name or a URL, are the same: URLs are compared as they are stored. */
export function isSameEndpoint(a: string, b: string): boolean {
  return a === b || (URL.canParse(a) && URL.canParse(b) && normaliseBaseUrl(a) === normaliseBaseUrl(b));
}

function refusal(problem: string): Error {
  return invalidInput('BASE_URL_INVALID', `a provider's base URL ${problem}`, {
    remedy: 'give it like https://api.openai.com/v1, and the key by the name of an environment variable (api_key_env)',
  });
}
