import { canonicalJson } from '../core/canonical-json.js';
import { messageOf } from '../core/errors.js';

/**
 * Decodes a file that must be exactly the canonical JSON of its value and a line feed (FB-10), so that each value has one spelling.
 *
 * @throws the error that `refuse` makes of the reason.
 */
export function decodeCanonicalLine(bytes: Uint8Array, refuse: (why: string) => Error): unknown {
  let value: unknown;
  let again: string;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    again = canonicalJson(value);
  } catch (error) {
    throw refuse(`it is not JSON in UTF-8 (${messageOf(error)})`);
  }
  if (!Buffer.from(`${again}\n`, 'utf8').equals(bytes)) {
    throw refuse('its bytes are not its canonical JSON and one line feed');
  }
  return value;
}
