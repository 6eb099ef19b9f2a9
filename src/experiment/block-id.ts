/** Names a block: one history under all arms. A value of its own, so that files and seeds are named by it in one place. */
export interface BlockId {
  readonly fixture: string;
}

/** A block's name: of its files, and in the seed of its order. */
export function blockName({ fixture }: BlockId): string {
  return fixture;
}
