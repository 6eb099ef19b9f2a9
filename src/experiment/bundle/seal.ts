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

/** A file's seal as its bytes say that it should be, and what the whole file has for a digest with it. */
export interface ExpectedSeal {
  /** Of the bytes before the seal. */
  readonly digest: Digest;
  readonly seal: Buffer;
  /** What `sha256sum` prints of the file, where the seal is this one. */
  readonly sha256: Digest;
}

/** @param body how many bytes the seal is of; they are read once, as a stream. */
export async function expectedSeal(path: string, body: number): Promise<ExpectedSeal> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { end: body - 1 })) hash.update(chunk as Buffer);
  const digest = `sha256:${hash.copy().digest('hex')}` as const;
  const seal = sealOf(digest);
  return { digest, seal, sha256: `sha256:${hash.update(seal).digest('hex')}` };
}
