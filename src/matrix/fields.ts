import { z } from 'zod';

/** Fields that several parts of the matrix schema have. */

export const NAME = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$/, 'expected a name of letters, digits and . _ @ + - (at most 64)');

export const positive = (max: number): z.ZodInt => z.int().min(1).max(max);

/** The name of an environment variable; never its value (MX-4). */
export const ENV_NAME = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of an environment variable');
