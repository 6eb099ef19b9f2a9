import { compareCivilTimes } from '../../core/civil-time.js';
import { digestJson } from '../../core/digest.js';
import type { RecalledItem } from '../memory.js';
import type { AssembledContext, ContextAssembler, Preface } from './context.js';
import { contextLine, oneLine } from './context-line.js';

/** How many lines' token counts are kept: `full-history` repeats the same lines for every question. */
const CACHED_LINES = 16_384;

const NO_PREFACE: Preface = { lines: [], tokens: 0 };

interface Chosen {
  readonly item: RecalledItem;
  readonly line: string;
}

/**
 * Assembles contexts under one budget with one tokenizer (RT-4). Items are taken in rank order while they fit; at the first that
 * does not fit it stops, so that no lower-ranked item ever displaces a higher one for being short. What was taken is listed in
 * order of time, then of store position. A preface takes its part of the budget first: a context is no larger for it.
 *
 * @param countTokens the matrix's tokenizer.
 */
export function createContextAssembler(countTokens: (text: string) => number): ContextAssembler {
  const tokensOfLine = cachedCount(countTokens);
  const fitting = (lines: readonly string[], most: number): { lines: string[]; tokens: number } => {
    const taken = { lines: [] as string[], tokens: 0 };
    for (const line of lines) {
      const more = tokensOfLine(line);
      if (taken.tokens + more > most) break;
      taken.lines.push(line);
      taken.tokens += more;
    }
    return taken;
  };
  return {
    assemble: (items, budgetTokens, preface = NO_PREFACE): AssembledContext => {
      const before = fitting(
        preface.lines.map(oneLine),
        Math.min(preface.tokens, budgetTokens ?? Number.POSITIVE_INFINITY),
      );
      const byRank = [...items].sort((a, b) => a.rank - b.rank);
      const chosen: Chosen[] = [];
      const lined = byRank.map((item) => ({ item, line: contextLine(item) }));
      const itemTokens = lined.map(({ line }) => tokensOfLine(line));
      let tokens = before.tokens;
      for (const [index, one] of lined.entries()) {
        const more = itemTokens[index] as number;
        if (budgetTokens !== null && tokens + more > budgetTokens) break;
        tokens += more;
        chosen.push(one);
      }
      const leftOut = byRank.slice(chosen.length).map((item) => item.id);
      chosen.sort(
        (a, b) =>
          compareCivilTimes(a.item.at, b.item.at) || a.item.position - b.item.position || a.item.rank - b.item.rank,
      );
      const lines = [...before.lines, ...chosen.map(({ line }) => line)];
      const included = chosen.map(({ item }) => item.id);
      const digest = digestJson(lines);
      const inFront = before.lines.length;
      return { lines, tokens, digest, included, left_out: leftOut, preface: inFront, item_tokens: itemTokens };
    },
  };
}

/** Tokens of a line with its line feed; the least recently used counts are forgotten first. */
function cachedCount(countTokens: (text: string) => number): (line: string) => number {
  const counts = new Map<string, number>();
  return (line) => {
    const known = counts.get(line);
    const tokens = known ?? countTokens(`${line}\n`);
    counts.delete(line);
    counts.set(line, tokens);
    if (counts.size > CACHED_LINES) counts.delete(counts.keys().next().value as string);
    return tokens;
  };
}
