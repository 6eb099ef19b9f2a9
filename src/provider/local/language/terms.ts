import { lemmaOf } from './lemmas.js';
import type { Lexicon } from './lexicon.js';

/** Words that carry no content of their own. */
const STOP = new Set(
  (
    'a an the this that these those and or but nor so if then than because as of at by for from in into on onto to up down out over under with without about ' +
    'off again is am are was were be been being do does did doing done have has had having will would shall should can could may might must ' +
    'i me my mine myself we us our ours you your yours yourself he him his she her hers it its they them their theirs who whom whose which what when where why how ' +
    'not no nor only just very too also there here now still yet ever never any some all both each few more most other such own same s t d ll m re ve like don didn doesn isn wasn won ' +
    'every somebody someone anybody anyone nobody everybody everyone nothing something anything everything before after until since while during though although because ' +
    'well oh yes yeah okay ok right really quite rather got get gets getting go goes going went gone one ones thing things lot bit way much many'
  ).split(' '),
);

/** Whether a lower-case word is a function word. */
export function isStopWord(word: string): boolean {
  return STOP.has(word);
}

/** Lower-case words of a text with plain apostrophes; possessive `'s` and contractions are cut off. */
export function plainWords(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}]+(?:['-][\p{L}\p{N}]+)*/gu) ?? []
  ).map((word) => word.replace(/'(?:s|m|re|ve|ll|d)$|n't$/, ''));
}

/** The base forms of a text's content words, in order, repeated ones kept. */
export function contentLemmas(text: string, lexicon: Lexicon): string[] {
  const lemmas: string[] = [];
  for (const word of plainWords(text)) {
    if (STOP.has(word) || word === '') continue;
    const lemma = lemmaOf(word, lexicon);
    if (!STOP.has(lemma)) lemmas.push(lemma);
  }
  return lemmas;
}
