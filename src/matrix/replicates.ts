import type { Digest } from '../core/digest.js';
import type { Report } from './check-modes.js';
import type { ResolvedMatrix } from './matrix.js';
import type { AuthoredMatrix } from './matrix-schema.js';

/** The replicates of every fixture under a matrix, from 1 (FB-18); one where there is no formation. */
export function replicatesOf({ formation }: Pick<ResolvedMatrix, 'formation'>): readonly number[] {
  return Array.from({ length: formation?.replicates ?? 1 }, (_, index) => index + 1);
}

/** The digest that pins a replicate's bank; null where none does. A digest by itself pins the first replicate's. */
export function pinnedBank(
  formation: Pick<NonNullable<ResolvedMatrix['formation']>, 'pinned'>,
  fixture: string,
  replicate: number,
): Digest | null {
  const pinned = formation.pinned[fixture];
  if (pinned === undefined) return null;
  return (typeof pinned === 'string' ? [pinned] : pinned)[replicate - 1] ?? null;
}

/** Faults of replicates that can have no banks, and of pins beyond the last of them. */
export function checkReplicates({ formation }: AuthoredMatrix, report: Report): void {
  if (formation === 'none') return;
  const { bank, pinned, replicates } = formation;
  if (bank === 'off' && replicates > 1)
    report(
      ['formation', 'replicates'],
      'REPLICATES_WITHOUT_BANKS',
      'replicates are banks, and `bank: off` records none: every cell forms beliefs of its own',
      'leave `replicates` out, or let banks be recorded',
    );
  for (const [fixture, digests] of Object.entries(pinned)) {
    if (typeof digests === 'string' || digests.length <= replicates) continue;
    report(
      ['formation', 'pinned', fixture],
      'PIN_WITHOUT_REPLICATE',
      `${digests.length} banks of ${fixture} are pinned, and \`replicates\` is ${replicates}`,
      'pin at most one bank a replicate, the first one first',
    );
  }
}
