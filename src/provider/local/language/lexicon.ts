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

/** Where a word stands as one part of speech: its frequent senses, and every sense above them. */
interface PlaceAs {
  readonly senses: readonly string[];
  readonly above: ReadonlyMap<string, number>;
}
type Place = Readonly<Record<Part, PlaceAs>>;

const NOTHING_ABOVE: ReadonlyMap<string, number> = new Map();

/** Words and their relations in WordNet 3.1. Pure over its files; caches are bounded. */
export class Lexicon {
  readonly #files: Readonly<Record<Part, { index: Buffer; data: Buffer }>>;
  readonly #senses = new Map<string, readonly string[]>();
  readonly #synsets = new Map<string, Synset>();
  readonly #ancestors = new Map<string, ReadonlyMap<string, number>>();
  readonly #places = new Map<string, Place>();

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
    const [ofA, ofB] = [this.#placeOf(a), this.#placeOf(b)];
    let best = 0;
    for (const part of PARTS) best = Math.max(best, nearnessAs(part, ofA[part], ofB[part]));
    return best;
  }

  #placeOf(word: string): Place {
    const known = this.#places.get(word);
    if (known !== undefined) return known;
    const as = (part: Part): PlaceAs => ({
      senses: this.senses(word, part).slice(0, MAX_SENSES),
      above: part === 'noun' || part === 'verb' ? this.ancestors(word, part) : NOTHING_ABOVE,
    });
    const place = { noun: as('noun'), verb: as('verb'), adj: as('adj'), adv: as('adv') };
    bounded(this.#places, word, place);
    return place;
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

function nearnessAs(part: Part, a: PlaceAs, b: PlaceAs): number {
  if (a.senses.length === 0 || b.senses.length === 0) return 0;
  if (a.senses.some((sense) => b.senses.includes(sense))) return 0.8;
  if (part === 'adj' || part === 'adv') return 0;
  const down = Math.min(stepsDown(a.senses, b.above), stepsDown(b.senses, a.above));
  // A verb's kinds are loose (to land is to move): only the nearest count, and little.
  if (part === 'verb') return down <= 1 ? 0.35 : 0;
  if (down <= 1) return 0.65;
  if (down <= 2) return 0.5;
  if (down <= 4) return 0.35;
  return 0;
}

function stepsDown(senses: readonly string[], above: ReadonlyMap<string, number>): number {
  let least = 99;
  for (const sense of senses) least = Math.min(least, above.get(sense) ?? 99);
  return least;
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
