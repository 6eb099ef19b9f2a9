import type { Digest } from '../../core/digest.js';
import type { RecalledItem } from '../memory.js';

/** What the reader will see. */
export interface AssembledContext {
  /** Those of the preface, then one line an item, in the stated order (RT-4). */
  readonly lines: readonly string[];
  /** Tokens of all lines, each with its line feed, by the matrix's one tokenizer. */
  readonly tokens: number;
  readonly digest: Digest;
  /** Ids of the items in the context, in order. */
  readonly included: readonly string[];
  /** Ids of the items that did not fit, in rank order. */
  readonly left_out: readonly string[];
  /** How many of the lines come before the items': those of the preface that fitted. */
  readonly preface: number;
  /** Tokens of every recalled item's line, in rank order, whether it fitted or not: for recall at token budgets. */
  readonly item_tokens: readonly number[];
}

/** Lines that stand before those of the items. */
export interface Preface {
  /** Taken in their order while they fit. */
  readonly lines: readonly string[];
  /** The most of the context's budget that they take. */
  readonly tokens: number;
}

/** Assembles a context within a budget (RT-4). */
export interface ContextAssembler {
  /** @param budgetTokens null for no budget: `full-history` alone. */
  assemble(items: readonly RecalledItem[], budgetTokens: number | null, preface?: Preface): AssembledContext;
}
