import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RecallMatrixError } from '../../src/core/errors.js';
import { loadFixture } from '../../src/fixture/load.js';

const FILES = ['fixture.yaml', 'history.jsonl', 'questions.jsonl'] as const;
const SOURCE = resolve(import.meta.dirname, '../../fixtures/harbour-clinic');
let root: string;
let originals: Buffer[];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'fuzz-'));
  await mkdir(join(root, 'harbour-clinic'));
  originals = await Promise.all(FILES.map((file) => readFile(join(SOURCE, file))));
});
afterAll(() => rm(root, { recursive: true }));

test('RS-2 a fixture with any bytes changed loads or is refused with coded faults, never anything else', async () => {
  const change = fc.record({
    file: fc.nat(2),
    at: fc.nat(1_000_000),
    cut: fc.nat(40),
    bytes: fc.uint8Array({ maxLength: 6 }),
  });
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
      const texts = [...originals];
      for (const { file, at, cut, bytes } of changes) {
        const old = texts[file] as Buffer;
        const start = at % old.length;
        texts[file] = Buffer.concat([old.subarray(0, start), bytes, old.subarray(start + cut)]);
      }
      const folder = join(root, 'harbour-clinic');
      await Promise.all(FILES.map((file, index) => writeFile(join(folder, file), texts[index] as Buffer)));
      try {
        await loadFixture(folder);
      } catch (error) {
        if (!(error instanceof RecallMatrixError) || error.kind !== 'invalid-input') throw error;
        refused += 1;
      }
    }),
    { numRuns: 150 },
  );
  expect(refused).toBeGreaterThan(20);
});
