import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { bundleInPlace } from './bundle.js';
import { keptFolder } from './kept-folder.js';

/**
 * To be called once a test file or suite: bundles a program of this folder before the tests, so that each process of it starts in a fraction of
 * a second.
 *
 * @param name of its module, without ending.
 * @returns gives the path of what node runs.
 */
export function useBundledChild(name: string): () => string {
  let folder: Awaited<ReturnType<typeof keptFolder>>;
  let path: string;
  beforeAll(async () => {
    folder = await keptFolder();
    path = await bundleInPlace(fileURLToPath(new URL(`./${name}.ts`, import.meta.url)), folder.path, name);
  });
  afterAll(() => folder.remove());
  return () => path;
}
