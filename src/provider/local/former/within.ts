import { canonicalJson } from '../../../core/canonical-json.js';
import type { LanguageResources } from '../language/resources.js';
import { type FormationAnswer, formFacts } from './former.js';

/**
 * The former's answer as canonical JSON within an output limit: the least sure beliefs are left out first, the later of equals before the
 * earlier. Where even no belief fits, the text is longer than the limit, and the caller reports that.
 */
export function formWithin(
  message: unknown,
  language: LanguageResources,
  limitTokens: number,
  countTokens: (text: string) => number,
): string {
  const whole = formFacts(message, language);
  const text = canonicalJson(whole);
  if (countTokens(text) <= limitTokens) return text;
  const byWorth = whole.beliefs
    .map((belief, index) => ({ index, confidence: belief.confidence }))
    .sort((a, b) => b.confidence - a.confidence || a.index - b.index);
  let kept = 0;
  for (let low = 0, high = byWorth.length - 1; low <= high; ) {
    const middle = (low + high + 1) >>> 1;
    if (countTokens(canonicalJson(withBest(whole, byWorth, middle))) <= limitTokens) {
      kept = middle;
      low = middle + 1;
    } else high = middle - 1;
  }
  return canonicalJson(withBest(whole, byWorth, kept));
}

function withBest(whole: FormationAnswer, byWorth: readonly { index: number }[], count: number): FormationAnswer {
  const chosen = new Set(byWorth.slice(0, count).map(({ index }) => index));
  return { beliefs: whole.beliefs.filter((_, index) => chosen.has(index)), people: whole.people };
}
