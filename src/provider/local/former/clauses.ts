import type { Tagger } from '../language/tagger.js';

/** Where a new clause with a subject of its own starts: behind a comma, semicolon or dash. */
const JOINT =
  /(?:, |; |: | [–—-] )(?=(?:(?:and|but|so|yet) )?(?:i|he|she|it|we|they|you|there|that)(?:['’](?:s|m|d|re|ve|ll))? )|, (?=(?:and|but|so) (?:the|my|our|his|her|their) \w+ (?:\w+ )?(?:is|are|was|were|has|have|had|will|came|went|goes|comes|moved|said|says)\b)/giu;
const SUBORDINATE =
  /^(?:(?:and|but|so) )?(?:if|when|whenever|since|because|as|although|though|while|after|before|until|once|unless|whether|whatever|where|by the time)\b/i;
const MIN_CLAUSE_WORDS = 3;

/** The main clauses of a sentence: it is cut only where both sides have a verb and neither hangs on the other. */
export function splitClauses(sentence: string, tagger: Tagger): string[] {
  const clauses: string[] = [];
  let open = 0;
  for (const match of sentence.matchAll(JOINT)) {
    const left = sentence.slice(open, match.index);
    const right = sentence.slice(match.index + match[0].length);
    if (SUBORDINATE.test(left) || !standsAlone(left, tagger) || !standsAlone(right, tagger)) continue;
    clauses.push(left);
    open = match.index + match[0].length;
  }
  clauses.push(sentence.slice(open));
  return clauses.map((clause) => clause.replace(/^(?:and|but|so|yet) /i, '').trim()).filter((clause) => clause !== '');
}

function standsAlone(clause: string, tagger: Tagger): boolean {
  const words = tagger(clause);
  return words.length >= MIN_CLAUSE_WORDS && words.some((word) => isFiniteVerb(word.tags));
}

/** Whether tags are those of a verb that can carry a clause. */
export function isFiniteVerb(tags: ReadonlySet<string>): boolean {
  return tags.has('Verb') &&
    !tags.has('Infinitive') &&
    (tags.has('PastTense') ||
      tags.has('PresentTense') ||
      tags.has('Copula') ||
      tags.has('Auxiliary') ||
      tags.has('Modal'))
    ? !(tags.has('Gerund') && !tags.has('Copula'))
    : tags.has('Verb') && !tags.has('Gerund');
}
