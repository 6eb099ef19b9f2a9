/** Parts of speech of the lexicon. */
export type Part = 'noun' | 'verb' | 'adj' | 'adv';

/** The lexicon's files by part of speech, as WordNet lays them out: an index sorted by lemma, and data at byte offsets. */
export type LexiconFiles = Readonly<Record<Part, { readonly index: Uint8Array; readonly data: Uint8Array }>>;

const PARTS: readonly Part[] = ['noun', 'verb', 'adj', 'adv'];
/** Rare senses only confuse: this many of the most frequent are looked at. */
const MAX_SENSES = 4;
const MAX_DEPTH = 9;
const CACHE_LIMIT = 20_000;

interface Synset {
  readonly words: readonly string[];
  readonly hypernyms: readonly string[];
}

/** Words and their relations in WordNet 3.1. Pure over its files; caches are bounded. */
export class Lexicon {
  readonly #files: Readonly<Record<Part, { index: Buffer; data: Buffer }>>;
  readonly #senses = new Map<string, readonly string[]>();
  readonly #synsets = new Map<string, Synset>();
  readonly #ancestors = new Map<string, ReadonlyMap<string, number>>();

  constructor(files: LexiconFiles) {
    const buffers = (part: Part) => ({
      index: Buffer.from(files[part].index.buffer, files[part].index.byteOffset, files[part].index.byteLength),
      data: Buffer.from(files[part].data.buffer, files[part].data.byteOffset, files[part].data.byteLength),
    });
    this.#files = { noun: buffers('noun'), verb: buffers('verb'), adj: buffers('adj'), adv: buffers('adv') };
  }

  /** Whether a lower-case base form stands in the lexicon as this part of speech. */
  knows(word: string, part: Part): boolean {
    return this.senses(word, part).length > 0;
  }

  /** Ids of a base form's senses, most frequent first. */
  senses(word: string, part: Part): readonly string[] {
    const key = `${part}:${word}`;
    const known = this.#senses.get(key);
    if (known !== undefined) return known;
    const found = /^[a-z][a-z' -]*$/.test(word) ? this.#lookUp(word.replaceAll(' ', '_'), part) : [];
    bounded(this.#senses, key, found);
    return found;
  }

  /** Words of a sense. */
  words(sense: string): readonly string[] {
    return this.#synset(sense).words;
  }

  /** Every sense above a word's senses (they included), with its least distance. */
  ancestors(word: string, part: Part, limit = MAX_SENSES): ReadonlyMap<string, number> {
    const key = `${part}:${limit}:${word}`;
    const known = this.#ancestors.get(key);
    if (known !== undefined) return known;
    const distances = new Map<string, number>();
    let level: readonly string[] = this.senses(word, part).slice(0, limit);
    for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth += 1) {
      const next: string[] = [];
      for (const sense of level) {
        if (distances.has(sense)) continue;
        distances.set(sense, depth);
        next.push(...this.#synset(sense).hypernyms);
      }
      level = next;
    }
    bounded(this.#ancestors, key, distances);
    return distances;
  }

  /** Whether one of the `wordSenses` most frequent senses of a word lies at or under one of the `limit` most frequent ones of a category. */
  isA(word: string, category: string, limit = MAX_SENSES, wordSenses = MAX_SENSES): boolean {
    const above = this.ancestors(word, 'noun', wordSenses);
    return this.senses(category, 'noun')
      .slice(0, limit)
      .some((sense) => above.has(sense));
  }

  /**
   * How near two base forms are: 1 equal, 0.8 in one synset, 0.6 for a kind of the other, less with each step down, 0 otherwise.
   */
  nearness(a: string, b: string): number {
    if (a === b) return 1;
    let best = 0;
    for (const part of PARTS) best = Math.max(best, this.#nearnessAs(a, b, part));
    return best;
  }

  #nearnessAs(a: string, b: string, part: Part): number {
    const ofA = this.senses(a, part).slice(0, MAX_SENSES);
    const ofB = this.senses(b, part).slice(0, MAX_SENSES);
    if (ofA.length === 0 || ofB.length === 0) return 0;
    if (ofA.some((sense) => ofB.includes(sense))) return 0.8;
    if (part === 'adj' || part === 'adv') return 0;
    const aboveA = this.ancestors(a, part);
    const aboveB = this.ancestors(b, part);
    const down = Math.min(...ofA.map((s) => aboveB.get(s) ?? 99), ...ofB.map((s) => aboveA.get(s) ?? 99));
    // A verb's kinds are loose (to land is to move): only the nearest count, and little.
    if (part === 'verb') return down <= 1 ? 0.35 : 0;
    if (down <= 1) return 0.65;
    if (down <= 2) return 0.5;
    if (down <= 4) return 0.35;
    return 0;
  }

  #synset(sense: string): Synset {
    const known = this.#synsets.get(sense);
    if (known !== undefined) return known;
    const [part, offset] = sense.split('@') as [Part, string];
    const data = this.#files[part].data;
    const start = Number(offset);
    const fields = data.toString('latin1', start, data.indexOf(10, start)).split(' | ')[0]?.split(' ') ?? [];
    const wordCount = Number.parseInt(fields[3] ?? '0', 16);
    const words: string[] = [];
    for (let i = 0; i < wordCount; i += 1) words.push((fields[4 + 2 * i] ?? '').toLowerCase().replaceAll('_', ' '));
    const hypernyms: string[] = [];
    const pointers = 4 + 2 * wordCount;
    const pointerCount = Number(fields[pointers] ?? 0);
    for (let i = 0; i < pointerCount; i += 1) {
      const at = pointers + 1 + 4 * i;
      if (fields[at] === '@' || fields[at] === '@i') hypernyms.push(`${part}@${Number(fields[at + 1])}`);
    }
    const synset = { words, hypernyms };
    bounded(this.#synsets, sense, synset);
    return synset;
  }

  #lookUp(lemma: string, part: Part): string[] {
    const index = this.#files[part].index;
    const wanted = Buffer.from(`${lemma} `, 'latin1');
    let low = 0;
    let high = index.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const start = middle === 0 ? 0 : index.lastIndexOf(10, middle - 1) + 1;
      const end = index.indexOf(10, start);
      const order = Buffer.compare(index.subarray(start, Math.min(start + wanted.length, end)), wanted);
      if (order === 0) return offsets(index.toString('latin1', start, end), part);
      if (order < 0) low = end + 1;
      else high = start;
    }
    return [];
  }
}

function offsets(line: string, part: Part): string[] {
  const fields = line.trim().split(' ');
  const senseCount = Number(fields[2]);
  return fields.slice(-senseCount).map((offset) => `${part}@${Number(offset)}`);
}

function bounded<Value>(cache: Map<string, Value>, key: string, value: Value): void {
  if (cache.size >= CACHE_LIMIT) cache.clear();
  cache.set(key, value);
}
