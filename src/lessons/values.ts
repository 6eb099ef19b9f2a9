import { z } from 'zod';
import { DIGEST_PATTERN, type Digest } from '../core/digest.js';

const MAX_LENGTH = 200;

/** A digest, in a format of this room. */
export const digest = z.string().regex(DIGEST_PATTERN) as unknown as z.ZodType<Digest>;
/** A run's, an arm's or a question's id. */
export const id = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:/=,@+-]*$/)
  .max(MAX_LENGTH);
/** Lower-case words and digits, joined by hyphens. */
export const slug = z
  .string()
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
  .max(MAX_LENGTH);
/** One width and one zone, so that instants compared as text are compared as time. */
export const instant = z.iso.datetime({ precision: 3 }).describe('UTC, with milliseconds');
/** A name as people write it, on one line. */
export const name = z
  .string()
  .regex(/^\S(?:[^\p{Cc}\u2028\u2029]*\S)?$/u)
  .max(MAX_LENGTH)
  .refine((text) => text.isWellFormed(), 'expected well-formed text');

/** Orders two strings by UTF-16 code units: no locale has a say. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
