// Controls but tabs and line feeds, halves of characters, and marks that reorder or hide text. Joiners stay: scripts and emoji need them.
const HIDDEN = /(?![\t\n])\p{Cc}|\p{Cs}|[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** Hostile text as it is read: what would hide, or reorder its line, stands as `\u{202e}` (RS-4). Markup is escaped by whoever renders it. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);
}
