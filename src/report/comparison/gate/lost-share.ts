import type { ContrastResult, RowCounts } from '../comparison.js';

/** Why a night says nothing of a contrast, in words; null where enough of it is there (RP-4). */
export function whyInvalid(contrast: ContrastResult, maxLostShare: number): string | null {
  const { rows, pairs, only_base, only_head } = contrast;
  if (rows.base.rows === 0 && rows.head.rows === 0) return 'neither side has a row';
  for (const side of ['base', 'head'] as const) {
    const { rows: count, lost } = rows[side];
    if (losesTooMany(rows[side], maxLostShare))
      return `${lost} of ${count} rows of ${side} were lost (to the provider or budget), never made or not judged: more than ${percent(maxLostShare)}`;
  }
  const one = only_base + only_head;
  const all = pairs + one;
  return all > 0 && one / all > maxLostShare
    ? `${one} of ${all} questions have a score on one side alone (base ${only_base}, head ${only_head}), more than ${percent(maxLostShare)}`
    : null;
}

/** Of one side. */
export function losesTooMany({ rows, lost }: RowCounts, maxLostShare: number): boolean {
  return rows > 0 && lost / rows > maxLostShare;
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))} %`;
}
