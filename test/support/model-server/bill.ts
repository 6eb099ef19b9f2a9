/** Integer nano-dollars a token. */
export interface TokenPrices {
  readonly input_nano_usd: bigint;
  /** Of input that the cache served; by default no discount. */
  readonly cached_input_nano_usd?: bigint;
  /** Of input that is written to the cache; by default as other input. */
  readonly written_input_nano_usd?: bigint;
  readonly output_nano_usd: bigint;
}

/** One line of the provider's own bill. */
export interface BillLine {
  readonly index: number;
  readonly model: string;
  readonly prompt_tokens: number;
  readonly cached_tokens: number;
  readonly written_tokens: number;
  readonly completion_tokens: number;
  readonly nano_usd: bigint;
}

/** What the provider would charge, at the most: kept apart from the product's ledger, in its own words (CHECKS 3). */
export class Bill {
  readonly #lines: BillLine[] = [];

  charge(
    index: number,
    model: string,
    prices: TokenPrices,
    tokens: Omit<BillLine, 'index' | 'model' | 'nano_usd'>,
  ): void {
    const fresh = BigInt(tokens.prompt_tokens - tokens.cached_tokens - tokens.written_tokens) * prices.input_nano_usd;
    const written = BigInt(tokens.written_tokens) * (prices.written_input_nano_usd ?? prices.input_nano_usd);
    const cached = BigInt(tokens.cached_tokens) * (prices.cached_input_nano_usd ?? prices.input_nano_usd);
    const made = BigInt(tokens.completion_tokens) * prices.output_nano_usd;
    this.#lines.push({ index, model, ...tokens, nano_usd: fresh + written + cached + made });
  }

  total(): { readonly nano_usd: bigint; readonly lines: readonly BillLine[] } {
    return { nano_usd: this.#lines.reduce((sum, line) => sum + line.nano_usd, 0n), lines: [...this.#lines] };
  }
}

/**
 * How many tokens a text has here: one for every four bytes begun. Like a real tokeniser's count it is never above the number of bytes.
 */
export function countTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}
