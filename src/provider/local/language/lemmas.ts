import type { Lexicon } from './lexicon.js';

/** Irregular forms of general English, base first. */
const IRREGULAR = `
be am is are was were been being
have has had having
do does did done
go goes went gone
get got gotten
buy bought
bring brought
think thought
catch caught
teach taught
seek sought
fight fought
take took taken
give gave given
come came
become became
run ran
begin began begun
drink drank drunk
sing sang sung
swim swam swum
ring rang rung
drive drove driven
ride rode ridden
rise rose risen
write wrote written
break broke broken
speak spoke spoken
steal stole stolen
choose chose chosen
freeze froze frozen
wake woke woken
wear wore worn
tear tore torn
bear bore born borne
swear swore sworn
grow grew grown
know knew known
throw threw thrown
blow blew blown
fly flew flown
draw drew drawn
show shown
see saw seen
eat ate eaten
fall fell fallen
forget forgot forgotten
hide hid hidden
bite bit bitten
shake shook shaken
mistake mistook
forgive forgave forgiven
sell sold
tell told
hold held
leave left
lose lost
keep kept
sleep slept
feel felt
meet met
feed fed
lead led
read
find found
stand stood
understand understood
win won
sit sat
spend spent
send sent
lend lent
build built
make made
pay paid
say said
lay laid
lie lay lain
hear heard
mean meant
dream dreamt
learn learnt
burn burnt
deal dealt
stick stuck
sting stung
dig dug
hang hung
strike struck
shoot shot
light lit
shine shone
bend bent
bind bound
wind wound
sew sewn
sow sown
mow mown
saw sawn
hurt
put
cut
set
let
shut
hit
cost
quit
split
spread
`;

/** Irregular plurals and comparatives. */
const IRREGULAR_NOUNS = `
man men
woman women
child children
foot feet
tooth teeth
goose geese
mouse mice
wife wives
knife knives
life lives
leaf leaves
shelf shelves
loaf loaves
half halves
calf calves
scarf scarves
good better best
bad worse worst
`;

const BASES = new Map<string, string>();
const PASTS = new Set(
  IRREGULAR.trim()
    .split('\n')
    .flatMap((line) => line.split(' ').slice(line.includes(' ') ? 1 : 0)),
);
for (const word of ['is', 'are', 'am', 'be', 'being', 'having', 'has', 'does', 'doing', 'goes']) PASTS.delete(word);
for (const line of `${IRREGULAR.trim()}\n${IRREGULAR_NOUNS.trim()}`.split('\n')) {
  const [base = '', ...forms] = line.split(' ');
  for (const form of forms) if (!BASES.has(form)) BASES.set(form, base);
  if (forms.length === 0) BASES.set(base, base);
}

/** Whether a lower-case word is an irregular past or participle, or a verb whose past is its base. */
export function isIrregularPast(word: string): boolean {
  return PASTS.has(word);
}

const MEMORY_LIMIT = 20_000;
const MEMORIES = new WeakMap<Lexicon, Map<string, string>>();

/** Endings and what they stand for, tried in order; WordNet's own detachment rules with doubled consonants added. */
const ENDINGS: readonly (readonly [string, string])[] = [
  ['ies', 'y'],
  ['sses', 'ss'],
  ['ches', 'ch'],
  ['shes', 'sh'],
  ['xes', 'x'],
  ['oes', 'o'],
  ['s', ''],
  ['ied', 'y'],
  ['ed', 'e'],
  ['ed', ''],
  ['ing', 'e'],
  ['ing', ''],
];

/** The base form of a lower-case word: irregular table, then endings whose result the lexicon knows, then a plain cut. */
export function lemmaOf(word: string, lexicon: Lexicon): string {
  const memory = MEMORIES.get(lexicon) ?? new Map<string, string>();
  if (memory.size === 0 || memory.size >= MEMORY_LIMIT) {
    memory.clear();
    MEMORIES.set(lexicon, memory);
  }
  const known = memory.get(word);
  if (known !== undefined) return known;
  const lemma = computeLemma(word, lexicon);
  memory.set(word, lemma);
  return lemma;
}

function computeLemma(word: string, lexicon: Lexicon): string {
  const bare = word.replace(/['’]s?$/, '');
  const irregular = BASES.get(bare);
  if (irregular !== undefined) return irregular;
  if (bare.length < 4 || /ss$/.test(bare)) return bare;
  for (const [ending, replacement] of ENDINGS) {
    if (!bare.endsWith(ending)) continue;
    const stem = bare.slice(0, -ending.length) + replacement;
    if (stem.length < 2) continue;
    if (ending.endsWith('ed') || ending === 'ing') {
      const single = stem.replace(/([bdfgklmnprtvz])\1$/, '$1');
      if (single !== stem && lexicon.knows(single, 'verb')) return single;
      if (lexicon.knows(stem, 'verb')) return stem;
      continue;
    }
    if (lexicon.knows(stem, 'noun') || lexicon.knows(stem, 'verb')) return stem;
  }
  return bare;
}
