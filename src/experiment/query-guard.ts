import { scanForSecrets } from '../bank/secret-scan.js';
import type { WithholdingGuard } from '../memory/query-preparation/query-preparation.js';
import type { QueryGuard } from '../memory/query-preparation/query-preparer.js';

/** Words of a chat's own markup, or that give orders to a model: no question about a memory needs them. */
const INJECTIONS: readonly RegExp[] = [
  /<\|[a-z_]+\|>|\[\/?INST\]|<<\/?SYS>>/i,
  /\b(?:ignore|disregard|forget) (?:all |any |the )*(?:previous|prior|above|earlier) (?:instructions|prompts|messages)\b/i,
];
/** Text that is read in another order than it stands, or that is not shown. */
const HIDDEN = /[\u200b\u2060\u202a-\u202e\u2066-\u2069\ufeff]/;

/**
 * What a question's text is looked over for before it leaves this process (SQ-7): configured secrets and credential shapes, numbers of payment cards
 * and bank accounts (restricted, whoever says them), and text that is made to be obeyed or to be hidden. All of it is local.
 *
 * @param onWithheld hears why, never what.
 */
export function queryGuard(secrets: readonly string[], onWithheld: (why: string) => void): QueryGuard {
  return async (text) => {
    const found = await reasonToWithhold(text, secrets);
    if (found === null) return null;
    onWithheld(found.why);
    return found.guard;
  };
}

async function reasonToWithhold(
  text: string,
  secrets: readonly string[],
): Promise<{ readonly guard: WithholdingGuard; readonly why: string } | null> {
  if (matchesOf(text, /\b\d(?:[ -]?\d){12,18}\b/g).some(isCardNumber))
    return { guard: 'sensitivity', why: 'payment card number' };
  if (matchesOf(text, /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}\b/g).some(isAccountNumber))
    return { guard: 'sensitivity', why: 'bank account number' };
  const [finding] = await scanForSecrets(text, secrets);
  if (finding !== undefined) return { guard: 'credential', why: finding.what };
  if (INJECTIONS.some((pattern) => pattern.test(text)))
    return { guard: 'injection', why: 'words that instruct a model' };
  return HIDDEN.test(text) ? { guard: 'injection', why: 'characters that hide or reorder text' } : null;
}

function matchesOf(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([match]) => match.replaceAll(/[ -]/g, ''));
}

/** Luhn's check (ISO/IEC 7812-1). */
function isCardNumber(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** The check of an IBAN (ISO 13616). */
function isAccountNumber(account: string): boolean {
  const digits = [...`${account.slice(4)}${account.slice(0, 4)}`].map((sign) => Number.parseInt(sign, 36)).join('');
  return BigInt(digits) % 97n === 1n;
}
