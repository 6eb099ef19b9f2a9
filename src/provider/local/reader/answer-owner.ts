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
  return ranked
    .filter(({ sentence, score }) => score >= floor && claimOf(ranked, sentence) !== null)
    .map((item) => ({
      item,
      value:
        item.score +
        0.6 * nearnessTo(lineText(ranked, item.sentence.line)) +
        0.2 * nearnessTo(item.sentence.text) +
        (claimOf(ranked, item.sentence)?.owner === null ? 0 : 0.15),
    }))
    .sort(
      (a, b) =>
        b.value - a.value ||
        b.item.sentence.line - a.item.sentence.line ||
        a.item.sentence.place - b.item.sentence.place,
    )
    .map(({ item }) => item);
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
