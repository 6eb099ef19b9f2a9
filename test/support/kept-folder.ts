import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that outlives the test that makes it: whoever makes it removes it, after all tests of its file. */
export async function keptFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'recall-matrix-test-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
