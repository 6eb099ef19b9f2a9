import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { DIGEST_PATTERN, type Digest, digestText } from '../../core/digest.js';
import { invalidInput } from '../../core/errors.js';
import type { RunFolder } from '../run-folder.js';
import type { RecordedRequest } from '../run-record.js';

const requestSchema = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.string() })),
});

/**
 * An exact request that a run keeps; null where its folder does not hold it.
 *
 * @throws `RUN_REQUEST_BROKEN` (exit 2) where the file is not what its digest names.
 */
export async function recordedRequest(folder: RunFolder, digest: Digest): Promise<RecordedRequest | null> {
  if (!DIGEST_PATTERN.test(digest)) return null;
  const path = folder.requestPath(digest);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw broken(path, 'cannot be read');
  }
  if (digestText(text.replace(/\n$/, '')) !== digest) throw broken(path, 'has another digest than its name');
  const parsed = requestSchema.safeParse(JSON.parse(text));
  if (!parsed.success) throw broken(path, 'is no request');
  return { model: parsed.data.model, messages: parsed.data.messages };
}

function broken(path: string, what: string): Error {
  return invalidInput('RUN_REQUEST_BROKEN', `${path} ${what}`, {
    remedy: 'restore the file from a copy, or remove it: a request that is not there is left out',
  });
}
