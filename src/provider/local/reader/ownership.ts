/** What a sentence says of whose something is. */
export interface OwnershipClaim {
  /** The owner as written; null where only "not the speaker's" is said. */
  readonly owner: string | null;
  readonly isSpeakers: boolean;
}

const NAME = '(?:(?:Mr|Mrs|Ms|Miss|Dr|Aunt|Auntie|Uncle)\\.? )?\\p{Lu}[\\p{Ll}\\p{M}-]+(?: \\p{Lu}[\\p{Ll}\\p{M}-]+)*';
const KIN = '(?:(?!not |no )[a-z-]+ )?';
const GLOSSED = new RegExp(`\\b(?:his|hers?|theirs) \\((${NAME})['’]s\\)`, 'u');
const BELONGS = new RegExp(`\\bbelongs? to (?:my |his |her |[\\p{Lu}][\\p{Ll}]+['’]s )?(${KIN}?${NAME})`, 'u');
const IS_NAMED = new RegExp(
  `(?:\\b(?:[Ii]t|[Hh]e|[Ss]he|[Tt]hat|[Tt]hey)(?: \\([^)]*\\))?(?:['’]s|['’]re| is| are| was)|\\b[a-z]+(?:['’]s| is| was)) (?:still |really |actually |all )?(?:(?:my|his|her|our) |[\\p{Lu}][\\p{Ll}]+['’]s )?((?:(?!not |no )[a-z-]+ )?${NAME})['’]s?(?=[ ,.;!]|$)`,
  'u',
);
const IS_THEIRS =
  /\b(?:it|he|she|they|that)(?: \([^)]*\))?(?:['’]s|['’]re| is| are| was) (?:still |really |actually |all )?(?:(his|hers|theirs)\b(?! [a-z])|(his|her|their) (?!own\b)[a-z]+\b(?= after all|[,.;!]|$))/i;
const SINCE_THEIRS = /\b(?:since|because|as) (?:it|he|she)(?:['’]s| is) (his|hers|theirs)\b/i;
const LENT = new RegExp(`(${NAME})(?:['’]s| is| has| had)?(?: \\w+)? (?:lending|lent|lends)\\b`, 'u');
const NOT_MINE =
  /\b(?:not mine|isn['’]t mine|not my own|isn['’]t my|only (?:borrow|mind|look|walk)\w*|borrow\w*|on loan|lent (?:to )?me|lending it to|not (?:[A-Z]\w+)['’]s\b)/i;
const MINE = /\b(?:mine\b|my own\b|i (?:own|bought)\b|i['’]ve bought\b)/i;

/** The claim about ownership in a text; null where it makes none. `before` is what its line said before it, for the names that pronouns mean. */
export function ownershipClaim(text: string, before = ''): OwnershipClaim | null {
  const named = GLOSSED.exec(text)?.[1] ?? BELONGS.exec(text)?.[1] ?? IS_NAMED.exec(text)?.[1];
  if (named !== undefined) return { owner: named.replace(/^(?:still|really|actually) /, ''), isSpeakers: false };
  const pointing = SINCE_THEIRS.exec(text) ?? IS_THEIRS.exec(text);
  if (pointing !== null) {
    const owner = lastNameBefore(
      `${before} ${text.slice(0, pointing.index)}`,
      /^(?:her|hers)$/i.test(pointing[1] ?? pointing[2] ?? ''),
    );
    if (owner !== null) return { owner, isSpeakers: false };
  }
  const lender = LENT.exec(text)?.[1];
  if (lender !== undefined) return { owner: lender, isSpeakers: false };
  if (NOT_MINE.test(text)) return { owner: null, isSpeakers: false };
  return MINE.test(text) ? { owner: null, isSpeakers: true } : null;
}

function lastNameBefore(text: string, isFemale: boolean): string | null {
  const names = [...text.matchAll(new RegExp(NAME, 'gu'))].map((match) => match[0]);
  const usable = names.filter((name) => !/^(?:I|It|He|She|The|That|Oh|My|So|And|But|Sorry|Well|If|When)$/.test(name));
  const titled = usable.filter((name) =>
    isFemale ? /^(?:Mrs|Ms|Miss|Aunt|Auntie)/.test(name) : /^(?:Mr|Uncle)/.test(name),
  );
  return titled.at(-1) ?? usable.at(-1) ?? null;
}
