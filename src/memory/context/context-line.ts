import { showCivilTime } from '../../core/civil-time.js';
import type { RecalledItem } from '../memory.js';

// Whatever a reader could take for the end of a line, CR LF as one.
const LINE_ENDS = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;

/**
 * An item's one line (docs/formats/model-requests.md): `[date time] Speaker: text` for a turn, `[date time] (Subject, Subject)
 * statement` for a belief, with the date alone where only that is known. Ends of lines within become spaces.
 */
export function contextLine(item: RecalledItem): string {
  const who = oneLine(item.who);
  const text = oneLine(item.text);
  const said = item.unit === 'turns' ? `${who}: ${text}` : who === '' ? text : `(${who}) ${text}`;
  return `[${showCivilTime(item.at)}] ${said}`;
}

/** A text as one line, whatever a reader could take for the end of one. */
export function oneLine(text: string): string {
  return text.replace(LINE_ENDS, ' ');
}
