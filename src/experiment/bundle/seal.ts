import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Digest } from '../../core/digest.js';

/**
 * The end of every bundle: an empty gzip member (RFC 1952) whose comment is the digest of all bytes before it. What unpacks gzip passes over it;
 * who reads a bundle checks it before a byte is unpacked, so that no changed bit is missed, also where a compressed stream does not care.
 */
export function sealOf(digest: Digest): Buffer {
  return Buffer.concat([MEMBER_WITH_COMMENT, Buffer.from(`${digest}\0`, 'latin1'), EMPTY_STREAM]);
}

/** Magic, deflate, the flag of a comment, no time, no flags of the compressor, an unknown system. */
const MEMBER_WITH_COMMENT = Buffer.from('1f8b08100000000000ff', 'hex');
/** A last block of fixed codes that ends at once; the checksum and the length of nothing. */
const EMPTY_STREAM = Buffer.from('03000000000000000000', 'hex');

/** Bytes of a seal. */
export const SEAL_BYTES = MEMBER_WITH_COMMENT.byteLength + 'sha256:'.length + 64 + 1 + EMPTY_STREAM.byteLength;

/** The digest of a file's first bytes, read as a stream. */
export async function digestOfFile(path: string, bytes: number): Promise<Digest> {
  const hash = createHash('sha256');
  if (bytes > 0) for await (const chunk of createReadStream(path, { end: bytes - 1 })) hash.update(chunk as Buffer);
  return `sha256:${hash.digest('hex')}`;
}
