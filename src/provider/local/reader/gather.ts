import type { LanguageResources } from '../language/resources.js';
import { personsIn } from './extract-person.js';
import { thingsIn } from './extract-thing.js';
import { amountOf, moneyIn } from './measures.js';
import type { AskedQuestion } from './question.js';
import type { RankedSentence } from './relevance.js';

const MAX_ITEMS = 4;

/** Several answers, joined by commas in the order of their lines; null where fewer than two are found. */
export function listAnswer(
  question: AskedQuestion,
  near: readonly RankedSentence[],
  language: LanguageResources,
): string | null {
  const items = new Map<string, { text: string; line: number; place: number }>();
  for (const { sentence } of near) {
    const texts =
      question.type === 'person' || question.type === 'name'
        ? personsIn(sentence, question, language).slice(0, 2)
        : thingsIn(sentence.text, question, language)
            .filter((thing) => thing.isInstance)
            .slice(0, 2)
            .map((thing) => thing.text);
    for (const text of texts) {
      const key = text.toLowerCase();
      if (!items.has(key) && items.size < MAX_ITEMS)
        items.set(key, { text, line: sentence.line, place: sentence.place });
    }
  }
  if (items.size < 2) return null;
  return [...items.values()]
    .sort((a, b) => a.line - b.line || a.place - b.place)
    .map((item) => item.text)
    .join(', ');
}

/** The sum of the two best amounts of one currency; null where there are not two. */
export function sumAnswer(near: readonly RankedSentence[]): string | null {
  const lines = new Set<number>();
  const amounts = near.flatMap(({ sentence }) => {
    const money = moneyIn(sentence.text);
    const amount = money === null || lines.has(sentence.line) ? null : amountOf(money);
    if (amount === null) return [];
    lines.add(sentence.line);
    return [amount];
  });
  const [first, second] = amounts;
  if (first === undefined || second === undefined || first.unit !== second.unit) return null;
  const total = Math.round((first.value + second.value) * 100) / 100;
  return /^[£$€]/.test(first.unit) ? `${first.unit}${total}` : `${total} ${first.unit}`;
}
