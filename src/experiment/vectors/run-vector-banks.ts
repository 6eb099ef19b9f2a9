import type { Digest } from '../../core/digest.js';
import { bankRefused } from '../../core/errors.js';
import type { RecallUnit } from '../../memory/memory.js';
import { type BlockId, blockName, blockTitle } from '../block-id.js';
import { blockOf } from '../formation/formation-bank.js';
import { type PreparedRun, vectorPlans } from '../prepare-run.js';
import type { RunManifest } from '../run-manifest.js';

type Bound = RunManifest['vector_banks'][number];

/** What a run knows of one unit's vectors once they are opened. */
export interface OpenedVectors {
  readonly action: Bound['action'];
  readonly bank: Digest | null;
}

/**
 * The vector banks of a run (VB-1): what was to be done about each when the run first came to it, and which bank that led to. From then on
 * the run has that one and no other.
 */
export class RunVectorBanks {
  readonly #bound: Map<string, Bound>;

  constructor(before: readonly Bound[], prepared: PreparedRun) {
    this.#bound = new Map(before.map((bound) => [keyOf(bound, bound.unit), bound]));
    for (const plan of prepared.plans)
      for (const { unit, action, found } of vectorPlans(prepared, plan)) {
        const block = blockOf(plan);
        const key = keyOf(block, unit);
        if (!this.#bound.has(key)) this.#bound.set(key, { ...block, unit, action, bank: found?.digest ?? null });
      }
  }

  get all(): Bound[] {
    return [...this.#bound.values()];
  }

  /** Whether the run itself was to record a unit's vectors: found now, an earlier session did. */
  wasToRecord(block: BlockId, unit: RecallUnit): boolean {
    return this.#bound.get(keyOf(block, unit))?.action === 'record';
  }

  /** @returns whether that is new. */
  bind(block: BlockId, unit: RecallUnit, opened: OpenedVectors): boolean {
    const key = keyOf(block, unit);
    if (this.#bound.get(key)?.bank === opened.bank) return false;
    this.#bound.set(key, { ...block, unit, ...opened });
    return true;
  }
}

/**
 * Refuses a run whose vector banks are no longer those that its rows were searched by, before one is recorded in their place (exit 5): a
 * provider may give other vectors today (VB-1).
 */
export function refuseChangedVectorBanks(before: readonly Bound[], { vectors }: PreparedRun): void {
  for (const { unit, bank, ...block } of before) {
    if (bank === null) continue;
    const found = vectors.get(blockName(block))?.find((plan) => plan.unit === unit)?.found?.digest ?? null;
    if (found === bank) continue;
    throw bankRefused(
      'RUN_VECTOR_BANK_CHANGED',
      `the ${unit} of ${blockTitle(block)} were searched by the vector bank ${bank}, and now ${found === null ? 'there is none' : `${found} is there`}`,
      { remedy: 'put the vector bank back into its folder, or start a new run' },
    );
  }
}

function keyOf(block: BlockId, unit: RecallUnit): string {
  return `${blockName(block)}\0${unit}`;
}
