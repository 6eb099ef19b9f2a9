/** A wait that a server asks for is believed up to a day. */
const LONGEST_MS = 86_400_000;

// IMF-fixdate, the one form that servers may send: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * `Retry-After` in milliseconds (https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3): seconds, or an HTTP date against
 * `nowIso`; a date in the past is 0. Null where it is missing or unreadable.
 */
export function retryAfterMs(header: string | null, nowIso: string): number | null {
  const value = header?.trim() ?? '';
  // Fractions are no part of the standard, but sent.
  if (/^\d+(?:\.\d+)?$/.test(value)) return Math.min(LONGEST_MS, Math.ceil(Number(value) * 1_000));
  if (!HTTP_DATE.test(value)) return null;
  const wait = Date.parse(value) - Date.parse(nowIso);
  return Number.isNaN(wait) ? null : Math.min(LONGEST_MS, Math.max(0, wait));
}
