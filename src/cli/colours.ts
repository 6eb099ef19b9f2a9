import pico from 'picocolors';
import type { Environment } from '../matrix/environment.js';
import { type Paint, PLAIN } from '../report/tables/paint.js';

/**
 * How results are painted (CL-1): on a terminal alone, and not where NO_COLOR is set (no-color.org) or the terminal is `dumb`; FORCE_COLOR paints elsewhere
 * too. Where both are set, NO_COLOR holds.
 */
export function paintFor(stream: { readonly isTTY?: boolean }, environment: Environment): Paint {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment;
  const isForced = isSet(FORCE_COLOR) && FORCE_COLOR !== '0';
  const isWanted = isForced || (stream.isTTY === true && TERM !== 'dumb' && FORCE_COLOR !== '0');
  if (isSet(NO_COLOR) || !isWanted) return PLAIN;
  const { bold, green, yellow, red, dim } = pico.createColors(true);
  return { heading: bold, good: green, warn: yellow, bad: red, faint: dim };
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
