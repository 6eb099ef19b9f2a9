import type { LanguageResources } from '../language/resources.js';
import type { ContextSentence } from './lines.js';
import type { AskedQuestion } from './question.js';
import { mentions } from './relevance.js';

const NAME =
  /\b(?:(?:Mr|Mrs|Ms|Miss|Dr|Aunt|Auntie|Uncle)\.? )?\p{Lu}[\p{Ll}\p{M}]+(?:[-'’]\p{Lu}[\p{Ll}\p{M}]+)*(?: \p{Lu}[\p{Ll}\p{M}]+)*/gu;
const ROLE =
  /\b(?:my|his|her|our|the|a|an|[\p{Lu}][\p{Ll}]+['’]s) ((?:(?:retired|old|former|young|late|new|elder|younger|little|big) )?[a-z-]+)\b/giu;
const NOT_A_NAME =
  /^(?:I|The|A|An|It|He|She|They|We|Somebody|Someone|Nobody|Everybody|Everyone|Anyone|You|My|Our|His|Her|Their|This|That|There|Then|So|And|But|Or|If|When|While|Since|As|At|In|On|From|To|Of|For|Oh|Ah|Yes|No|Not|Well|Just|Asked|Good|Great|Lovely|Nice|What|Who|Where|Which|How|Why|Every|Some|All|Half|Today|Yesterday|Last|Next|First|Don|Please|Thank|Thanks|Sorry|Right|Perfect|Finally|Did|Do|Does|Is|Are|Was|Have|Has|Can|Could|Would|Will|Turns|Jan\w*|Feb\w*|March|April|May|June|July|Aug\w*|Sept\w*|Oct\w*|Nov\w*|Dec\w*|\w+days?)$/;

/** Persons whom a sentence names or tells by role, best first; the question's own persons are left out. */
export function personsIn(
  sentence: ContextSentence,
  question: AskedQuestion,
  { lexicon }: LanguageResources,
): string[] {
  const found: { text: string; start: number; rank: number }[] = [];
  for (const match of sentence.text.matchAll(NAME)) {
    const text = match[0];
    if (NOT_A_NAME.test(text.split(' ')[0] ?? '') && !/^(?:Mr|Mrs|Ms|Miss|Dr)\b/.test(text)) continue;
    const isOpening =
      match.index === 0 && (['verb', 'adj', 'adv'] as const).some((part) => lexicon.knows(text.toLowerCase(), part));
    if (isOpening || question.names.some((name) => mentions(text, name))) continue;
    const before = sentence.text.slice(0, match.index);
    const isPlace =
      /\b(?:in|at|to|from|near|over in|round)\s+$/i.test(before) ||
      lexicon.isA(text.toLowerCase(), 'location', 1) ||
      /\b(?:Street|Lane|Road|Row|Hall|Town)\b/.test(text);
    if (isPlace) continue;
    const isTitled = /^(?:Mr|Mrs|Ms|Miss|Dr|Aunt|Uncle)/.test(text);
    const isVocative =
      /^,|^\s*$/.test(sentence.text.slice(match.index + text.length, match.index + text.length + 1)) &&
      /, $|^$/.test(before) &&
      sentence.isTurn &&
      !isTitled &&
      before !== '';
    found.push({
      text,
      start: match.index,
      rank: isVocative
        ? 3
        : /\b(?:with|by|for|from|to|off|about|saw|see|it's|it’s)\s+$/i.test(before) || isTitled
          ? 0
          : 1,
    });
  }
  for (const match of sentence.text.matchAll(ROLE)) {
    const phrase = match[1] ?? '';
    const head = phrase.split(' ').at(-1) ?? '';
    if (!lexicon.isA(head, 'person', 1) || /^(?:day|one|two|half|other|back|head)$/.test(head)) continue;
    if (question.terms.includes(head)) continue;
    found.push({ text: phrase, start: match.index, rank: 2 });
  }
  return found.sort((a, b) => a.rank - b.rank || a.start - b.start).map(({ text }) => text);
}
