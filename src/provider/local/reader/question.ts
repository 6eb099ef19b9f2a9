import { lemmaOf } from '../language/lemmas.js';
import type { LanguageResources } from '../language/resources.js';
import { contentLemmas, plainWords } from '../language/terms.js';

/** What kind of span answers. */
export type AnswerType =
  | 'yes-no'
  | 'owner'
  | 'money'
  | 'duration'
  | 'count'
  | 'weekday'
  | 'date'
  | 'time'
  | 'place'
  | 'person'
  | 'name'
  | 'reason'
  | 'manner'
  | 'thing';

/** A question as the reader understands it. */
export interface AskedQuestion {
  readonly text: string;
  readonly type: AnswerType;
  /** Names in it, as written. */
  readonly names: readonly string[];
  /** Content lemmas without names and without words of the question's own form. */
  readonly terms: readonly string[];
  /** The noun that the answer is an instance of ("colour" of "which colour"); null where there is none. */
  readonly focus: string | null;
  readonly wantsList: boolean;
  /** It asks for what holds at present, so that the later of two equals is right. */
  readonly wantsLatest: boolean;
  readonly wantsSum: boolean;
}

const TYPES: readonly (readonly [AnswerType, RegExp])[] = [
  [
    'owner',
    /^whose\b|\bto whom\b.*\bbelongs?\b|\bbelongs? to (?:whom|who)\b|\bwho (?:is|was) the owner\b|\bwho owns?\b/i,
  ],
  ['yes-no', /^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b/i],
  ['duration', /\bhow long\b|\bhow many (?:seconds|minutes|hours|days|weeks|months|years)\b/i],
  [
    'money',
    /\bhow much\b(?=.*\b(?:money|cost|pay|paid|spend|spent|price|raise|raised|bring|brought|make|made|worth|earn|charge|fee|take|took|collect|rent|sell|sold)\b)|\bhow expensive\b|\bwhat (?:was|is|did) (?:the )?.*\b(?:price|cost|fee|rent)\b/i,
  ],
  ['count', /\bhow (?:many|much|old|far|tall|big|heavy|often)\b/i],
  [
    'weekday',
    /\b(?:which|what) (?:week ?day|day of the week|evening|morning|afternoon|night)\b|\bwhen in the week\b|\bwhich day\b/i,
  ],
  ['time', /\b(?:what|which) time\b|\bat what hour\b/i],
  [
    'date',
    /^when\b|\bsince when\b|\b(?:what|which) (?:exact )?(?:date|day|month|year)\b|\bwhat was the (?:\w+ )?date\b|\bdate of\b/i,
  ],
  ['place', /^(?:from |to )?where\b/i],
  ['name', /\b(?:name|names|nickname|called|named)\b/i],
  ['person', /^(?:\w+ )?(?:who|whom)\b/i],
  ['reason', /^why\b/i],
  ['thing', /\b(?:what|which)\b/i],
  ['manner', /^how\b/i],
];
const LATEST =
  /\b(?:now|currently|current|these days|nowadays|at present|at the moment|any ?more|no longer|final|finally|in the end|end(?:ed)? up|latest|this year|still|decide|decided)\b/i;
const FORM_WORDS = new Set(
  'name nickname call date day week weekday month year time place person kind sort type current currently present moment now nowadays final finally end roughly exactly together total long often two three both own decide chosen whom evening morning city town'.split(
    ' ',
  ),
);

/** Types a question, finds its names and its terms. */
export function readQuestion(text: string, { lexicon }: LanguageResources): AskedQuestion {
  const type = TYPES.find(([, pattern]) => pattern.test(text))?.[0] ?? 'thing';
  const names = namesIn(text);
  const nameWords = new Set(names.flatMap((name) => plainWords(name)));
  const focus = focusOf(text, lexicon);
  const terms = [...new Set(contentLemmas(text, lexicon))].filter(
    (lemma) => !nameWords.has(lemma) && !FORM_WORDS.has(lemma),
  );
  const asksPlural = /\b(?:what|which)(?: \w+){0,3}? (\w+s)\b(?! (?:name|own))/i.exec(text)?.[1]?.toLowerCase() ?? '';
  const wantsList =
    (/\b(?:names|two|three|both)\b/i.test(text) ||
      (asksPlural !== '' &&
        !/(?:ss|['’]s|is|was|does|has)$/.test(asksPlural) &&
        lemmaOf(asksPlural, lexicon) !== asksPlural &&
        lexicon.knows(lemmaOf(asksPlural, lexicon), 'noun') &&
        new RegExp(`^\\W*(?:in |on |to |from |for )?(?:what|which)(?: \\w+){0,3}? ${asksPlural}\\b`, 'i').test(
          text,
        ))) &&
    !/['’]s\b/.test(asksPlural);
  return {
    text,
    type,
    names,
    terms,
    focus,
    wantsList,
    wantsLatest:
      LATEST.test(text) || /^(?:where|which|what|when|who|on which day)\b.*\b(?:is|are|does|do)\b/i.test(text),
    wantsSum: /\b(?:together|in total|altogether|combined|in all)\b/i.test(text),
  };
}

function namesIn(text: string): string[] {
  const found = text.matchAll(
    /(?<!^)(?<!["“] ?)\b(?:(?:Mr|Mrs|Ms|Dr|Aunt|Uncle)\.? )?\p{Lu}[\p{Ll}\p{M}]+(?:[-'’]\p{Lu}[\p{Ll}]+)*(?: \p{Lu}[\p{Ll}\p{M}]+)*/gu,
  );
  return [
    ...new Set(
      [...found]
        .map((match) => match[0])
        .filter(
          (name) =>
            !/^(?:I|Christmas|Easter|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|January|February|March|April|May|June|July|August|September|October|November|December)$/.test(
              name,
            ),
        ),
    ),
  ];
}

/** "Which colour was…" gives "colour"; "What is Ann's current address?" gives "address"; "What award did…" gives "award". */
function focusOf(text: string, lexicon: LanguageResources['lexicon']): string | null {
  const direct =
    /\b(?:what|which)((?: [\w-]+){1,3}?) (?:is|are|was|were|do|does|did|has|have|had|will|would|can|could|of|in|that|should)\b/i.exec(
      text,
    )?.[1];
  const possessed =
    /\bwhat (?:is|was|are|were) (?:[\w.'’]+ ){0,3}?[\w.]+['’]s? ((?:[\w-]+ ){0,2}?[\w-]+)\W*$/i.exec(text)?.[1] ??
    /\bwhat (?:is|was|are|were) the ([\w-]+(?: [\w-]+)?) (?:of|for|that|in)\b/i.exec(text)?.[1];
  const subject = /^\W*(?:which|what) ([\w-]+) (?=[\w-]+ )/i.exec(text)?.[1];
  const phrase = direct ?? possessed ?? subject;
  if (phrase === undefined) return null;
  const words = plainWords(phrase).map((word) => lemmaOf(word, lexicon));
  const head = words.findLast((word) => lexicon.knows(word, 'noun'));
  return head === undefined || /^(?:is|be|do|thing|one)$/.test(head) ? null : head;
}
