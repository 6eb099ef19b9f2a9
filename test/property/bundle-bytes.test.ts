import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecallMatrixError } from '../../src/core/errors.js';
import { exportBundle } from '../../src/experiment/bundle/export-bundle.js';
import { SEAL_BYTES } from '../../src/experiment/bundle/seal.js';
import { verifyBundle } from '../../src/experiment/bundle/verify-bundle.js';
import { sealedArchive, soundRun } from '../support/bundles.js';
import { temporaryFolder } from '../support/temporary-folder.js';

async function bundle(): Promise<{ readonly folder: string; readonly path: string; readonly bytes: Buffer }> {
  const run = await soundRun();
  const folder = await temporaryFolder();
  const path = join(folder, 'b.tar.gz');
  await exportBundle(run, { target: path, force: false, redactHistory: false, environment: {}, databaseUrl: null });
  return { folder, path, bytes: await readFile(path) };
}

async function refusal(path: string): Promise<unknown> {
  return verifyBundle(path, null).then(
    () => null,
    (error: unknown) => error,
  );
}

describe('RP-7 any byte of a bundle', () => {
  it('RP-7 RS-2 that is changed, lost or added refuses it, whatever bit it was and wherever it stood', async () => {
    const { folder, path, bytes } = await bundle();
    expect(await refusal(path)).toBeNull();
    const changed = join(folder, 'changed.tar.gz');
    const isRefused = async (other: Buffer) => {
      await writeFile(changed, other);
      const error = await refusal(changed);
      expect(error).toBeInstanceOf(RecallMatrixError);
      expect(error).toMatchObject({ kind: 'invalid-input', code: expect.stringMatching(/^BUNDLE_/) });
    };
    const flipped = (at: number, bit: number) => {
      const other = Buffer.from(bytes);
      other.writeUInt8(other.readUInt8(at) ^ (1 << bit), at);
      return other;
    };
    // Headers and the seal have the bits that unpacking does not care about.
    for (let at = 0; at < 12; at += 1) await isRefused(flipped(at, at % 8));
    for (let at = bytes.byteLength - SEAL_BYTES - 10; at < bytes.byteLength; at += 1)
      await isRefused(flipped(at, at % 8));
    const place = fc.nat(bytes.byteLength - 1);
    await fc.assert(
      fc.asyncProperty(place, fc.nat(7), async (at, bit) => isRefused(flipped(at, bit))),
      { numRuns: 100 },
    );
    await fc.assert(
      fc.asyncProperty(place, fc.uint8Array({ minLength: 1, maxLength: 9 }), async (at, more) => {
        await isRefused(bytes.subarray(0, at));
        await isRefused(Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)]));
      }),
      { numRuns: 30 },
    );
  });

  it('RP-7 RS-2 of any archive that is sealed anew gives a typed refusal, and nothing else', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'b.tar.gz');
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({ path: fc.string({ minLength: 1, maxLength: 40 }), bytes: fc.uint8Array({ maxLength: 900 }) }),
          {
            maxLength: 4,
          },
        ),
        async (entries) => {
          await writeFile(path, sealedArchive(entries.map((one) => ({ ...one, bytes: Buffer.from(one.bytes) }))));
          expect(await refusal(path)).toMatchObject({ code: expect.stringMatching(/^BUNDLE_/) });
        },
      ),
      { numRuns: 60 },
    );
  });
});
