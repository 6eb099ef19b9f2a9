import { terminalText } from '../../core/terminal-text.js';

/** Names and what they are, a line each, one value under the other; hostile text escaped. @param width of the names. */
export function factLines(width: number, facts: readonly (readonly [name: string, value: string])[]): string {
  return facts.map(([name, value]) => terminalText(`${name.padEnd(width)} ${value}`)).join('\n');
}
