import type { LanguageResources } from '../language/resources.js';
import { contentLemmas } from '../language/terms.js';
import { isTooWeak } from './abstain.js';
import type { ContextSentence } from './lines.js';
import { type OwnershipClaim, ownershipClaim } from './ownership.js';
import type { AskedQuestion } from './question.js';
import { mentions, type RankedSentence } from './relevance.js';

const ASKS_OWNERSHIP =
  /\bown(?:s|er)?\b|\bof (?:his|her|their) own\b|\bbelong|\bwhose\b|^(?:does|did|has) \w+ have (?:a|an|any)\b/i;
const NEGATION = /\b(?:not|never|no longer|no|nobody|none|cannot)\b|n['’]t\b/i;
/** How near to the best an ownership claim must stand: a claim beats a mere mention. */
const CLAIM_SHARE = 0.3;
/** How near what a claim is about must lie to the asked thing, where the claim's own words do not fit. */
const MIN_LINK = 0.5;
/** How near the words must be for a sentence to speak of the asked thing. */
const CLAIMED_THING = 0.65;

/** Whose something is. */
export function ownerAnswer(
  question: AskedQuestion,
  ranked: readonly RankedSentence[],
  lineCount: number,
  language: LanguageResources,
): string | null {
  const best = ranked[0];
  if (best === undefined || isTooWeak('owner', best.coverage, lineCount)) return null;
  for (const { sentence } of claims(question, ranked, language)) {
    const own = claimOf(ranked, sentence);
    const owner = own?.owner ?? ownershipClaim(lineText(ranked, sentence.line))?.owner ?? null;
    if (owner !== null) return owner;
    if (own?.isSpeakers === true && sentence.isTurn) return sentence.subjects[0] ?? null;
  }
  return possessorIn(question, ranked);
}

/** Yes or no; for ownership, somebody else's claim says no. */
export function yesNoAnswer(
  question: AskedQuestion,
  ranked: readonly RankedSentence[],
  lineCount: number,
  language: LanguageResources,
): string | null {
  const best = ranked[0];
  if (best === undefined) return null;
  if (ASKS_OWNERSHIP.test(question.text)) {
    for (const { sentence } of claims(question, ranked, language)) {
      const claim = claimOf(ranked, sentence);
      if (claim === null) continue;
      const isAskedPerson = claim.owner !== null && question.names.some((name) => mentions(claim.owner ?? '', name));
      return claim.isSpeakers || isAskedPerson ? 'Yes' : 'No';
    }
  }
  if (isTooWeak('yes-no', best.coverage, lineCount)) return null;
  return NEGATION.test(best.sentence.text) ? 'No' : 'Yes';
}

/** Sentences that claim ownership, best first: about the asked thing itself, or about a name that stands for it nearby. */
function claims(
  question: AskedQuestion,
  ranked: readonly RankedSentence[],
  { lexicon }: LanguageResources,
): RankedSentence[] {
  const floor = (ranked[0]?.score ?? 0) * CLAIM_SHARE;
  const things = question.terms.filter(
    (term) =>
      lexicon.knows(term, 'noun') && !/^(?:own|owner|have|drive|play|grow|take|keep|use|ride|walk|belong)$/.test(term),
  );
  const nearnessTo = (text: string): number => {
    const lemmas = contentLemmas(text, lexicon);
    return Math.max(0, ...things.flatMap((thing) => lemmas.map((lemma) => lexicon.nearness(thing, lemma))));
  };
  const lines = new Map<number, string>();
  for (const { sentence } of ranked)
    if (!lines.has(sentence.line)) lines.set(sentence.line, lineText(ranked, sentence.line));
  const lineFit = new Map([...lines].map(([line, text]) => [line, nearnessTo(text)]));
  const linked = linkedNames(question, lines, lineFit);
  const linkOf = ({ sentence }: RankedSentence): number => {
    const own = lineFit.get(sentence.line) ?? 0;
    const before = Math.max(0.8 * (lineFit.get(sentence.line - 1) ?? 0), 0.7 * (lineFit.get(sentence.line - 2) ?? 0));
    const byName = [...linked].some((name) => mentions(lines.get(sentence.line) ?? '', name)) ? 0.7 : 0;
    return Math.max(own, before, byName);
  };
  const isOfAsked = ({ sentence }: RankedSentence): boolean =>
    question.names.length === 0 ||
    question.names.some((name) => sentence.subjects.includes(name) || mentions(sentence.text, name));
  return ranked
    .flatMap((item) => {
      const link = linkOf(item);
      const isNear = item.score >= floor || (link >= MIN_LINK && isOfAsked(item));
      const claim = isNear ? claimOf(ranked, item.sentence) : null;
      if (claim === null || (claim.isSpeakers && lines.size > 1 && nearnessTo(item.sentence.text) < CLAIMED_THING))
        return [];
      const named = claim.owner === null ? 0 : 0.15;
      return [{ item, value: item.score + 0.6 * link + 0.2 * nearnessTo(item.sentence.text) + named }];
    })
    .sort(
      (a, b) =>
        b.value - a.value ||
        b.item.sentence.line - a.item.sentence.line ||
        a.item.sentence.place - b.item.sentence.place,
    )
    .map(({ item }) => item);
}

/** Names that stand where the asked thing is spoken of, or one line off: "I was out with Rex" beside "that dog". */
function linkedNames(
  question: AskedQuestion,
  lines: ReadonlyMap<number, string>,
  lineFit: ReadonlyMap<number, number>,
): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [line, fit] of lineFit) {
    if (fit < CLAIMED_THING) continue;
    for (const near of [line - 1, line]) {
      for (const match of (lines.get(near) ?? '').matchAll(/(?<=[a-z,] )\p{Lu}[\p{Ll}]{2,}/gu)) {
        if (!question.names.includes(match[0])) found.add(match[0]);
      }
    }
  }
  return found;
}

function claimOf(ranked: readonly RankedSentence[], sentence: ContextSentence): OwnershipClaim | null {
  const before = ranked
    .filter((other) => other.sentence.line === sentence.line && other.sentence.place < sentence.place)
    .sort((a, b) => a.sentence.place - b.sentence.place)
    .map((other) => other.sentence.text)
    .join(' ');
  return ownershipClaim(sentence.text, before);
}

function lineText(ranked: readonly RankedSentence[], line: number): string {
  return ranked
    .filter(({ sentence }) => sentence.line === line)
    .sort((a, b) => a.sentence.place - b.sentence.place)
    .map(({ sentence }) => sentence.text)
    .join(' ');
}

/** "Declan's van": the possessor of the asked thing, where no claim is made. */
function possessorIn(question: AskedQuestion, ranked: readonly RankedSentence[]): string | null {
  for (const { sentence } of ranked.slice(0, 6)) {
    for (const term of question.terms) {
      const match = new RegExp(
        `((?:Mr |Mrs |Ms |Dr |Aunt |Uncle )?\\p{Lu}[\\p{Ll}]+)['’]s (?:[a-z]+ )?${term.replace(/[^\p{L}\p{N}-]/gu, '')}`,
        'u',
      ).exec(sentence.text);
      if (match?.[1] !== undefined) return match[1];
      if (
        sentence.isTurn &&
        new RegExp(`\\bmy (?:[a-z]+ )?${term.replace(/[^\p{L}\p{N}-]/gu, '')}\\b`, 'i').test(sentence.text)
      )
        return sentence.subjects[0] ?? null;
    }
  }
  return null;
}
