// Control characters, bidirectional overrides and line separators: what could rewrite a terminal or reorder a line.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is being looked for.
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Makes hostile text (history, model output, file names) safe to print: what could steer a terminal shows as `\u{1b}` (RS-4). Line feeds and tabs stay. */
export function terminalText(text: string): string {
  return text.replace(UNSAFE, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);
}

/** The same on one line: white space is folded and the text is cut at `limit` characters with an ellipsis. */
export function terminalLine(text: string, limit = 200): string {
  const folded = terminalText(text.replace(/\s+/g, ' ').trim());
  const characters = [...folded];
  return characters.length <= limit ? folded : `${characters.slice(0, limit - 1).join('')}…`;
}

/** JSON that is safe to print, and means the same: what could steer a terminal stands as its `\u` escape (RS-4). */
export function terminalJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
