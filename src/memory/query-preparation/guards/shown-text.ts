/**
 * A text as a reader would take it: compatibility forms (full width, no-break spaces) folded, and characters that are not shown left out. For
 * looking alone: what is sent is never changed.
 */
export function shownText(text: string): string {
  return text.normalize('NFKC').replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '');
}

/** Its words: small letters and digits without marks, one space between. */
export function wordsOf(text: string): string {
  return shownText(text)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
