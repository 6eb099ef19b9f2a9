// A scorer module: whether the answer begins with the first word of an expected one.

export const describes =
  'Share of answers that begin with the first word of an expected one. Denominator: answerable questions.';

const firstWord = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/u)?.[0] ?? null;

/**
 * @param row {label: {question_id, category, answerable, expected, evidence}, answer, abstained, ranked_sources}.
 * @returns from 0 to 1, or null where it does not apply.
 */
export function score({ label, answer, abstained }) {
  if (!label.answerable) return null;
  if (abstained) return 0;
  return label.expected.some((expected) => firstWord(expected) === firstWord(answer)) ? 1 : 0;
}
