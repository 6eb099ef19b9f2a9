import { z } from 'zod';
import { DIGEST_PATTERN, type Digest } from '../../core/digest.js';

/** An object of a result. Strict where a document must say no more than the format does; loose where a later version may have written it. */
export type ObjectSchema = typeof z.looseObject;

export const digest = z.custom<Digest>((value) => typeof value === 'string' && DIGEST_PATTERN.test(value));
export const count = z.int().min(0);
/** Integer nano-dollars. */
export const nano = z.int().min(0);
/** A score, or a mean of scores; null where there is none. */
export const score = z.number().min(0).max(1).nullable();
