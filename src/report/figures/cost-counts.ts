import type { Observation } from '../../experiment/experiment.js';

/** The parts of an attributed cost (OB-2). */
export const COST_PARTS = ['formation', 'index', 'query', 'reader'] as const;
export type CostPart = (typeof COST_PARTS)[number];

/** What an arm's rows would have cost if it had run alone, in nano-dollars. Null: no price, or a call whose cost is not known; never 0. */
export interface CostFigures {
  /** Each over all rows. */
  readonly parts: { readonly [Part in CostPart]: bigint | null };
  readonly total: bigint | null;
  /** A question on this load: what is paid once, shared over the rows, and a question's own, over the answered ones. */
  readonly a_question: number | null;
}

/** Adds them up. */
export class CostCounts {
  #rows = 0;
  #answered = 0;
  readonly #parts: Record<CostPart, bigint | null> = { formation: 0n, index: 0n, query: 0n, reader: 0n };
  #total: bigint | null = 0n;
  #own: bigint | null = 0n;

  add({ attributed, outcome }: Observation): void {
    this.#rows += 1;
    for (const part of COST_PARTS) this.#parts[part] = plus(this.#parts[part], attributed[part].nano_usd);
    this.#total = plus(this.#total, attributed.nano_usd);
    if (outcome.kind !== 'answered') return;
    this.#answered += 1;
    this.#own = plus(plus(this.#own, attributed.query.nano_usd), attributed.reader.nano_usd);
  }

  get figures(): CostFigures {
    const none = this.#rows === 0;
    const { formation, index } = this.#parts;
    const isKnown = formation !== null && index !== null && this.#own !== null && this.#answered > 0;
    return {
      parts: none ? { formation: null, index: null, query: null, reader: null } : { ...this.#parts },
      total: none ? null : this.#total,
      a_question: isKnown ? Number(formation + index) / this.#rows + Number(this.#own) / this.#answered : null,
    };
  }
}

function plus(sum: bigint | null, amount: number | null): bigint | null {
  return sum === null || amount === null ? null : sum + BigInt(amount);
}
