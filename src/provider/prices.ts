import { z } from 'zod';
import { isCivilTime } from '../core/civil-time.js';
import { internalFault } from '../core/errors.js';
import { ceilingNanoUsd, type NanoUsd, perTokenNanoUsd, usdProblem } from '../ledger/ledger.js';
import { totalInput, type Usage, usageProblem } from './usage.js';

/** One price, in USD a million tokens, as exact decimal text. */
export interface PriceTier {
  /** This tier holds for requests of more than this many input tokens. */
  readonly above_input_tokens: number;
  readonly input: string;
  /** Null: cached tokens cost what other input costs. */
  readonly cache_read: string | null;
  /** Null: tokens written to the cache cost what other input costs. */
  readonly cache_write: string | null;
  /** Null: the model embeds, and makes none. */
  readonly output: string | null;
}

/** A model's price (LG-8). */
export interface PriceEntry {
  readonly model: string;
  /** `YYYY-MM-DD`, when it was looked up. */
  readonly as_of: string;
  readonly source: string | null;
  /** By rising `above_input_tokens`; the first is 0. */
  readonly tiers: readonly PriceTier[];
}

const usdPerMillionTokens = z
  .string({ error: (issue) => usdProblem(issue.input, 'price') ?? undefined })
  .superRefine((text, context) => {
    const problem = usdProblem(text, 'price');
    if (problem !== null) context.addIssue({ code: 'custom', message: problem });
  })
  .describe('US dollars a million tokens, as decimal text in quotes');

const optionalRate = usdPerMillionTokens.nullable().default(null);

const tier = z.strictObject({
  above_input_tokens: z.int().min(0),
  input: usdPerMillionTokens,
  cache_read: optionalRate,
  cache_write: optionalRate,
  output: optionalRate,
});

const price = {
  as_of: z.string().refine((text) => isCivilTime(`${text}T00:00:00`), 'expected the date of the price, YYYY-MM-DD'),
  source: z.string().max(2000).nullable().default(null),
  input: usdPerMillionTokens.optional(),
  cache_read: optionalRate,
  cache_write: optionalRate,
  output: usdPerMillionTokens.optional().describe('left out for a model that embeds'),
  tiers: z.array(tier).min(1).max(16).superRefine(refuseUnorderedTiers).optional(),
};
type WrittenPrice = z.output<z.ZodObject<typeof price>>;

// One object and not a union of two, so that a fault is reported where it stands.
function refuseHalfPrices(written: WrittenPrice, context: z.RefinementCtx): void {
  const refuse = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message });
  if (written.tiers === undefined) {
    if (written.input === undefined) refuse('input', 'expected a price, or `tiers`');
    return;
  }
  for (const key of ['input', 'output'] as const) if (written[key] !== undefined) refuse(key, 'a price beside `tiers`');
  for (const key of ['cache_read', 'cache_write'] as const)
    if (written[key] !== null) refuse(key, 'a price beside `tiers`');
}

/** A price as a matrix gives it, under its model's name. */
export const inlinePriceSchema = z.strictObject(price).superRefine(refuseHalfPrices);

const entry = z.strictObject({ model: z.string().min(1).max(200), ...price }).superRefine(refuseHalfPrices);

function refuseUnorderedTiers(tiers: readonly PriceTier[], context: z.RefinementCtx): void {
  for (const [index, { above_input_tokens: from }] of tiers.entries()) {
    const before = tiers[index - 1];
    const sound = before === undefined ? from === 0 : from > before.above_input_tokens;
    const message = before === undefined ? 'expected 0 in the first tier' : 'expected more than in the tier before';
    if (!sound) context.addIssue({ code: 'custom', path: [index, 'above_input_tokens'], message });
  }
}

/** A price table as it is written, `prices.yaml`: one entry a model, with one price or with tiers. See docs/formats/prices.md. */
export const priceTableSchema = z.strictObject({
  format: z.literal('prices@1'),
  entries: z.array(entry).superRefine((entries, context) => {
    const seen = new Set<string>();
    for (const [index, { model }] of entries.entries()) {
      if (seen.has(model))
        context.addIssue({ code: 'custom', path: [index, 'model'], message: `a second price for ${model}` });
      seen.add(model);
    }
  }),
});

/** A price table that satisfies `priceTableSchema`, as entries by model name. */
export function priceEntries(table: z.output<typeof priceTableSchema>): ReadonlyMap<string, PriceEntry> {
  return new Map(table.entries.map((written) => [written.model, priceEntry(written)]));
}

/** Prices that satisfy `inlinePriceSchema`, by model name, as entries. */
export function inlinePriceEntries(prices: Readonly<Record<string, WrittenPrice>>): ReadonlyMap<string, PriceEntry> {
  return new Map(Object.entries(prices).map(([model, written]) => [model, priceEntry({ model, ...written })]));
}

function priceEntry(written: WrittenPrice & { readonly model: string }): PriceEntry {
  const { model, as_of, source, tiers, input, output = null, cache_read, cache_write } = written;
  if (tiers !== undefined) return { model, as_of, source, tiers };
  if (input === undefined) throw internalFault('PRICE_UNCHECKED', `${model} has no price`);
  return { model, as_of, source, tiers: [{ above_input_tokens: 0, input, cache_read, cache_write, output }] };
}

/** Whether a price covers output: one that does not is of a model that embeds (LG-8). */
export function pricesOutput(price: PriceEntry): boolean {
  return price.tiers.every(({ output }) => output !== null);
}

/**
 * The most that a request can cost, in nano-dollars (LG-2): each byte of its body a token, a fixed overhead, the whole output limit,
 * every input token at the dearest input rate (no cache discount), at the dearest tier that a request of at most so many tokens can reach
 * (R-33).
 */
export function worstCaseNanoUsd(
  price: PriceEntry,
  bodyBytes: number,
  overheadTokens: number,
  maxOutputTokens: number,
): NanoUsd {
  for (const count of [bodyBytes, overheadTokens, maxOutputTokens]) assertCount(count);
  const input = BigInt(bodyBytes) + BigInt(overheadTokens);
  let worst = 0n;
  for (const tier of tiersUpTo(price, input)) {
    const cost = ceilingNanoUsd([
      { tokens: input, price: dearestInput(tier) },
      { tokens: BigInt(maxOutputTokens), price: outputRate(price, tier, maxOutputTokens) },
    ]);
    if (cost > worst) worst = cost;
  }
  return worst;
}

/**
 * What a call cost, in nano-dollars, rounded up once (LG-4, LG-8). The tier is that of the request's total input. The parts of a usage are
 * disjoint, so cached tokens are counted once and reasoning, which lies inside output, is never added to it.
 *
 * @throws internal fault `USAGE_UNUSABLE` for a usage with a count that is no non-negative integer: ask `usageProblem` first.
 */
export function costNanoUsd(price: PriceEntry, usage: Usage): NanoUsd {
  for (const count of Object.values(usage)) assertCount(count);
  const tier = tiersUpTo(price, BigInt(totalInput(usage))).at(-1) as PriceTier;
  const input = perTokenNanoUsd(tier.input);
  return ceilingNanoUsd([
    { tokens: BigInt(usage.input_uncached), price: input },
    { tokens: BigInt(usage.cache_read), price: tier.cache_read === null ? input : perTokenNanoUsd(tier.cache_read) },
    { tokens: BigInt(usage.cache_write), price: tier.cache_write === null ? input : perTokenNanoUsd(tier.cache_write) },
    { tokens: BigInt(usage.output), price: outputRate(price, tier, usage.output) },
  ]);
}

/** What a call would cost on its own, replayed calls included: null, never 0, where it has no price or no usable usage (OB-2). */
export function priceOf(price: PriceEntry | null, usage: Usage | null): NanoUsd | null {
  if (price === null || usage === null || usageProblem(usage, false) !== null) return null;
  return costNanoUsd(price, usage);
}

/** The tiers that requests of at most `inputTokens` fall in; at least one. */
function tiersUpTo(price: PriceEntry, inputTokens: bigint): readonly PriceTier[] {
  const reached = price.tiers.filter(
    (tier) => tier.above_input_tokens === 0 || BigInt(tier.above_input_tokens) < inputTokens,
  );
  if (reached.length === 0) throw internalFault('PRICE_WITHOUT_TIER', `the price of ${price.model} has no tier from 0`);
  return reached;
}

/** Output without a price is never free. */
function outputRate(price: PriceEntry, { output }: PriceTier, tokens: number): ReturnType<typeof perTokenNanoUsd> {
  if (output !== null) return perTokenNanoUsd(output);
  if (tokens > 0) throw internalFault('PRICE_WITHOUT_OUTPUT', `${price.model} has no price of output`);
  return perTokenNanoUsd('0');
}

function dearestInput(tier: PriceTier): ReturnType<typeof perTokenNanoUsd> {
  const rates = [tier.input, tier.cache_read, tier.cache_write].filter((rate) => rate !== null).map(perTokenNanoUsd);
  return rates.reduce((a, b) => (b.numerator * a.denominator > a.numerator * b.denominator ? b : a));
}

function assertCount(count: number): void {
  if (!Number.isSafeInteger(count) || count < 0)
    throw internalFault('USAGE_UNUSABLE', `${count} is no count of tokens`);
}
