// Python's `string.punctuation`: what LoCoMo's evaluation removes. Other scripts' punctuation stays, as it does there.
const PUNCTUATION = /[!"#$%&'()*+,\-./:;<=>?@[\\\]^_`{|}~]/g;
// A word boundary by Unicode, as Python has it: JavaScript's own `\b` would see a word in the last letter of "caféa".
const ARTICLES = /(?<![\p{L}\p{M}\p{N}_])(?:a|an|the|and)(?![\p{L}\p{M}\p{N}_])/gu;

/**
 * A text as LoCoMo compares it (`normalize_answer` in snap-research/LoCoMo, task_eval/evaluation.py): lower-cased, without ASCII
 * punctuation, without the words a, an, the and and, white space folded. Punctuation goes without a space: `well-kept` is `wellkept`.
 */
export function normaliseAnswer(text: string): string {
  const words = text.toLowerCase().replace(PUNCTUATION, '').replace(ARTICLES, ' ');
  return words.replace(/\s+/g, ' ').trim();
}

/** The words of a normalised text; none for a text that normalises to nothing. */
export function normalisedWords(text: string): string[] {
  const normalised = normaliseAnswer(text);
  return normalised === '' ? [] : normalised.split(' ');
}
