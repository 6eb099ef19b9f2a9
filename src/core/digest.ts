import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.js';

/** `sha256:` and 64 lower-case hexadecimal digits. */
export type Digest = `sha256:${string}`;

/** The shape of a digest, for schemas and arguments. */
export const DIGEST_PATTERN = /^sha256:[0-9a-f]{64}$/;

/** The SHA-256 digest of bytes. */
export function digestBytes(bytes: Uint8Array): Digest {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** The digest of a text's UTF-8 bytes. */
export function digestText(text: string): Digest {
  return `sha256:${createHash('sha256').update(text, 'utf8').digest('hex')}`;
}

/** The digest of a value's RFC 8785 text. */
export function digestJson(value: unknown): Digest {
  return digestText(canonicalJson(value));
}

/** The first `length` hexadecimal digits, for file names and tables. */
export function shortDigest(digest: Digest, length = 12): string {
  return digest.slice('sha256:'.length, 'sha256:'.length + length);
}
