/** A score or a mean for people; a dash for what does not apply. */
export function showScore(score: number | null | undefined): string {
  return score === null || score === undefined ? '–' : signed(score.toFixed(3));
}

/** A difference of scores: always with its sign, but for 0. */
export function showDifference(difference: number | null): string {
  if (difference === null) return '–';
  const text = difference.toFixed(3);
  return Number(text) > 0 ? `+${text}` : signed(text);
}

/** An interval of scores. */
export function showInterval({ lo, hi }: { readonly lo: number; readonly hi: number }): string {
  return `[${signed(lo.toFixed(3))}, ${signed(hi.toFixed(3))}]`;
}

/** An interval of differences: each end with its sign. */
export function showDifferenceInterval({ lo, hi }: { readonly lo: number; readonly hi: number }): string {
  return `[${showDifference(lo)}, ${showDifference(hi)}]`;
}

/** The confidence of an interval, from alpha: `95 %`. */
export function showConfidence(alpha: number): string {
  return `${Number(((1 - alpha) * 100).toFixed(2))} %`;
}

/** A count of what may be many: `29,229`; a dash for none that applies. */
export function showCount(count: number | null): string {
  return count === null ? '–' : String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A share of a whole: `37 %`; a dash of nothing. */
export function showShare(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Number(((100 * part) / whole).toFixed(1))} %`;
}

/** A true minus sign, and no minus before 0. */
function signed(text: string): string {
  return Number(text) === 0 ? text.replace('-', '') : text.replace('-', '−');
}
