import type { CurrentBelief, StoredTurn } from '../beliefs/belief-store.js';

// Words that nearly every sentence has: sharing one says nothing. Words of fewer than three characters are no content words either.
const FUNCTION_WORDS = new Set(
  `about after again all also and any are because been before but can could did does doing done down each even ever every few for from
  get got had has have her here hers him his how into its just like more most much not now off once one only other our out over own
  really said same she should some still such than that the their them then there these they this those through too two under until
  very was well were what when where which while who why will with would yes yet you your yours`.split(/\s+/),
);

const SUBJECT_WEIGHT = 2;

/**
 * The current beliefs that touch a batch most, at most `limit`, in store order.
 *
 * A belief's score is the number of distinct content words that its statement shares with the batch (texts, captions and speakers), plus
 * two for each of its subjects all of whose words occur there. Content words are runs of letters and digits, lower-cased, of three
 * characters or more, less a list of function words. Among equals the one formed later is chosen.
 */
export function chooseByOverlap(
  beliefs: readonly CurrentBelief[],
  turns: readonly StoredTurn[],
  limit: number,
): readonly CurrentBelief[] {
  if (beliefs.length <= limit) return beliefs;
  const said = turns.flatMap((turn) => [turn.speaker, turn.text, turn.caption ?? '']).join('\n');
  const batchWords = new Set(words(said));
  const scored = beliefs.map((belief, place) => ({ belief, place, score: scoreOf(belief, batchWords) }));
  scored.sort((a, b) => b.score - a.score || b.place - a.place);
  return scored
    .slice(0, limit)
    .sort((a, b) => a.place - b.place)
    .map(({ belief }) => belief);
}

function scoreOf(belief: CurrentBelief, batchWords: ReadonlySet<string>): number {
  const content = new Set(words(belief.statement).filter(isContentWord));
  const shared = [...content].filter((word) => batchWords.has(word)).length;
  const named = belief.subjects.filter((subject) => {
    const parts = words(subject);
    return parts.length > 0 && parts.every((part) => batchWords.has(part));
  });
  return shared + SUBJECT_WEIGHT * named.length;
}

function words(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function isContentWord(word: string): boolean {
  return [...word].length >= 3 && !FUNCTION_WORDS.has(word);
}
