// A strategy module: items by the number of the question's words that they share, the later first among equals.

/** Words of three letters or more. */
function words(text) {
  return new Set(text.toLowerCase().match(/\p{L}{3,}/gu) ?? []);
}

/**
 * @param request {question: {id, question, asked_at, subjects}, unit, limit, items: [{id, text, at, who, sources}]}; the items are all that may
 * be recalled, in order of time.
 * @returns [{id, score}], at most `limit`; higher scores are better.
 */
export function rank({ question, limit, items }) {
  const asked = words(question.question);
  return items
    .map(({ id, text, who }, place) => {
      const shared = [...words(`${who} ${text}`)].filter((word) => asked.has(word)).length;
      // Less than one word, so that it only parts items that share as many.
      return { id, score: shared === 0 ? 0 : shared + place / (items.length + 1) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}
