/** What of a server's words may enter an error. */
export const QUOTED_CHARACTERS = 300;

// OpenAI's and like keys, also other people's: a server may echo what another client sent.
const KEY_SHAPE = /\b(?:sk|pk|rk|key)-[A-Za-z0-9_*-]{8,}|\bBearer\s+\S+/gi;

/** A text without the key, otherwise as it was. */
export function withoutKey(text: string, apiKey: string | null): string {
  return apiKey === null ? text : text.replaceAll(apiKey, '[redacted]');
}

/** Hostile text on its way into an error (RS-4): the key and whatever looks like one are taken out, then it is cut. */
export function redact(text: string, apiKey: string | null): string {
  const redacted = withoutKey(text, apiKey).replace(KEY_SHAPE, '[redacted]').toWellFormed();
  return redacted.length <= QUOTED_CHARACTERS
    ? redacted
    : `${redacted.slice(0, QUOTED_CHARACTERS - 1)}…`.toWellFormed();
}
