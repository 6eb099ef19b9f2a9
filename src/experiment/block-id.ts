/** Names a block: one history, formed from one bank, under all arms. A value of its own, so that files and seeds are named by it in one place. */
export interface BlockId {
  readonly fixture: string;
  /** Which of a fixture's banks of one identity, from 1 (FB-18); 1 where there are no banks. */
  readonly replicate: number;
}

/**
 * A block's name: of its files, in the ledger, and in the seed of its order. The first replicate has the fixture's own. No fixture's id holds an `@`, so that
 * no block has the name of another.
 */
export function blockName({ fixture, replicate }: BlockId): string {
  return replicate === 1 ? fixture : `${fixture}@${replicate}`;
}

/** The fixture of a block's name. */
export function fixtureOfBlock(name: string): string {
  return name.split('@')[0] as string;
}

/** A block as people are told of it. */
export function blockTitle({ fixture, replicate }: BlockId): string {
  return replicate === 1 ? fixture : `${fixture}, replicate ${replicate}`;
}

/** What some blocks are, for people who are told how many are done. */
export function blocksNoun(blocks: readonly Pick<BlockId, 'replicate'>[]): string {
  return blocks.some(({ replicate }) => replicate > 1) ? 'fixtures and replicates' : 'fixtures';
}
