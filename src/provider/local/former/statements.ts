import { isIrregularPast, lemmaOf } from '../language/lemmas.js';
import type { Lexicon } from '../language/lexicon.js';
import type { LanguageResources } from '../language/resources.js';
import { isQuestion, splitSentences } from '../language/sentences.js';
import { contentLemmas, isStopWord, plainWords } from '../language/terms.js';
import { isFragment, isSelfContained, type OpenQuestion } from './answers.js';
import { splitClauses } from './clauses.js';
import { dateSentence } from './dated.js';
import { type Mention, mentionsOf, resolvePronoun } from './discourse.js';
import { type CONFIDENCE, confidenceOf, type Draft } from './draft.js';
import { findNames, type NameMention } from './names.js';
import { isHedged, stripNoise } from './noise.js';
import type { PeopleGatherer } from './people.js';
import type { FormationTurn } from './request.js';
import { nameVoices } from './speakers.js';

const MAX_SUBJECTS = 4;
const MIN_CONTENT_WORDS = 2;
const MAX_MENTIONS = 60;

/** Short clauses that still tell something: whose a thing is, when it is, how much it is. */
const TELLING =
  /\b(?:mine|hers|his|theirs|ours|yours|own|owns|belongs?|borrow\w*|lend\w*|lent|passed|failed|moved|engaged|married|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|\d+)\b|[£$€]\d/i;
/** A question put behind a statement: ", did she say?" */
const TAG_QUESTION =
  /, (?:did|do|does|is|are|was|were|has|have|had|can|will|would|could|should)(?:n['’]t)? (?:\w+)(?: \w+)?\?$/i;

const OWNER_PRONOUN =
  /\bhers\b|(?<=\b(?:is|was|still|['’]s) )his\b(?=[,.;!]|$)|(?<=(?:\bis|\bwas|\bstill|['’]s|\)) )(?:her|his)\b(?= [a-z]+(?: after all)?(?:[,.;!]|$))/i;

type Doubt = keyof typeof CONFIDENCE;

/** Forms statements turn by turn, keeping what the talk is about. One use a batch. */
export class StatementFormer {
  readonly #language: LanguageResources;
  readonly #participants: readonly string[];
  readonly #known: ReadonlySet<string>;
  readonly #people: PeopleGatherer;
  #mentions: Mention[] = [];
  #question: OpenQuestion | null = null;
  #previousSpeaker: string | null = null;
  #lastStatement: { statement: string; turnId: string } | null = null;

  constructor(
    language: LanguageResources,
    participants: readonly string[],
    known: ReadonlySet<string>,
    people: PeopleGatherer,
  ) {
    this.#language = language;
    this.#participants = participants;
    this.#known = known;
    this.#people = people;
  }

  /** The statements of the next turn, in order. */
  form(turn: FormationTurn, index: number): Draft[] {
    const drafts: Draft[] = [];
    let asked: OpenQuestion | null = null;
    let first = true;
    this.#people.sawSpeaker(turn.speaker, turn.id);
    for (const whole of splitSentences(turn.text)) {
      const sentence = whole.replace(TAG_QUESTION, '.');
      const { text, vocative } = stripNoise(sentence, this.#participants);
      const addressee = vocative ?? this.#addressee(turn.speaker);
      if (isQuestion(sentence)) {
        asked = this.#ask(text, turn, addressee, index);
        continue;
      }
      const answer =
        first &&
        this.#question !== null &&
        this.#question.asker !== turn.speaker &&
        isFragment(text, this.#language.tagger)
          ? this.#answer(text, turn)
          : null;
      if (answer !== null) drafts.push(answer);
      else
        for (const clause of splitClauses(text, this.#language.tagger))
          drafts.push(...this.#clause(clause, turn, addressee, index));
      first = false;
    }
    if (turn.caption !== null && turn.caption.trim() !== '') drafts.push(this.#caption(turn, turn.caption));
    this.#question = asked;
    this.#previousSpeaker = turn.speaker;
    this.#lastStatement =
      drafts.length > 0 ? { statement: drafts.at(-1)?.statement ?? '', turnId: turn.id } : this.#lastStatement;
    return drafts;
  }

  /** Two speakers address each other; among more, the one who spoke just before. */
  #addressee(speaker: string): string | null {
    const others = this.#participants.filter((name) => name !== speaker);
    if (others.length === 1) return others[0] ?? null;
    return this.#previousSpeaker === speaker ? null : this.#previousSpeaker;
  }

  #names(sentence: string, turn: FormationTurn): NameMention[] {
    const names = findNames(sentence, this.#language.lexicon, this.#known);
    for (const mention of names) this.#people.sawName({ mention, speaker: turn.speaker, turnId: turn.id });
    return names;
  }

  #remember(sentence: string, names: readonly NameMention[], turn: FormationTurn, index: number): void {
    const words = this.#language.tagger(sentence);
    const found = mentionsOf(words, sentence, names, this.#language.lexicon, { turnId: turn.id, turn: index });
    this.#mentions = [
      ...this.#mentions,
      ...found.filter((mention) => !this.#participants.includes(mention.text)),
    ].slice(-MAX_MENTIONS);
  }

  #ask(text: string, turn: FormationTurn, addressee: string | null, index: number): OpenQuestion {
    this.#names(text, turn);
    const named = nameVoices(text, { speaker: turn.speaker, addressee }, this.#language.lexicon);
    this.#remember(named, findNames(named, this.#language.lexicon, this.#known), turn, index);
    const about = isSelfContained(text, this.#language.lexicon, this.#language.tagger) ? null : this.#lastStatement;
    return { text: named, asker: turn.speaker, turnId: turn.id, about };
  }

  #answer(text: string, turn: FormationTurn): Draft | null {
    const question = this.#question;
    if (question === null || contentLemmas(text, this.#language.lexicon).length === 0) return null;
    const asked = contentLemmas(question.text, this.#language.lexicon).filter(
      (lemma) => !this.#participants.some((name) => name.toLowerCase() === lemma),
    );
    if (asked.length === 0 && question.about === null) return null;
    this.#names(text, turn);
    const dated = dateSentence(text, turn.at);
    const said = nameVoices(dated.text, { speaker: turn.speaker, addressee: question.asker }, this.#language.lexicon);
    const about =
      question.about === null
        ? ''
        : ` (about: ${question.about.statement.replace(/[.!]+$/, '').replace(/ \(about: .*\)$/, '')})`;
    const statement = `Asked "${question.text}"${about}, ${turn.speaker} answered: ${said}`;
    const sources = [
      ...new Set([...(question.about === null ? [] : [question.about.turnId]), question.turnId, turn.id]),
    ];
    return this.#draft(statement, said, turn, sources, dated.observedAt, ['joinedAnswer']);
  }

  #clause(clause: string, turn: FormationTurn, addressee: string | null, index: number): Draft[] {
    const { lexicon, tagger } = this.#language;
    const original = stripNoise(clause, this.#participants).text;
    this.#names(original, turn);
    const dated = dateSentence(original, turn.at);
    const pointed = this.#gloss(dated.text, turn, index);
    const owned = this.#glossOwner(pointed.text, turn, index);
    const glossed = { text: owned.text, sources: [owned.from, pointed.from] };
    const doubts: Doubt[] = [];
    let statement = nameVoices(glossed.text, { speaker: turn.speaker, addressee }, lexicon);
    const names = findNames(statement, lexicon, this.#known);
    this.#remember(statement, names, turn, index);
    if (isFragment(original, tagger)) {
      const isOwnAct = isOwnActOf(original, lexicon);
      if (!isOwnAct) {
        if (contentLemmas(original, lexicon).length < MIN_CONTENT_WORDS + 1 || isImperative(original, this.#language))
          return [];
        doubts.push('fragment');
        statement = `${turn.speaker} said: ${statement}`;
      } else {
        const be = /^\w+ing\b/i.test(original) ? ' is' : /^been|^done/i.test(original) ? ' has' : '';
        statement = `${turn.speaker}${be} ${statement.slice(0, 1).toLowerCase()}${statement.slice(1)}`;
      }
    }
    const content = contentLemmas(original, lexicon).filter(
      (lemma) => !this.#participants.some((name) => name.toLowerCase() === lemma),
    );
    if (content.length < (TELLING.test(original) ? 1 : MIN_CONTENT_WORDS)) return [];
    if (isHedged(original)) doubts.push('hedged');
    if (glossed.sources.some((id) => id !== null && id !== turn.id)) doubts.push('pronounFromOtherTurn');
    const sources = [...new Set([...glossed.sources.filter((id) => id !== null && id !== turn.id), turn.id])].filter(
      (id) => id !== null,
    );
    return [this.#draft(statement, statement, turn, sources, dated.observedAt, doubts)];
  }

  /** Says after the first third-person pronoun what it points to, where the clause has nothing before it that could be meant. */
  #gloss(clause: string, turn: FormationTurn, index: number): { text: string; from: string | null } {
    const match =
      /^((?:(?!\b(?:the|a|an|my|your|our)\b)[^A-Z"]){0,24}|.{0,12})\b(he|she|it|they)(['’](?:s|d|ll|ve|re))?(?= )/i.exec(
        clause,
      );
    const pronoun = match?.[2]?.toLowerCase() as 'he' | 'she' | 'it' | 'they' | undefined;
    if (
      match === null ||
      pronoun === undefined ||
      /^it['’]?s? (?:\w+ )?(?:was|is|will|would|rains?|takes?|turns)?\s?(?:windy|raining|like|time|that|not that|funny|cold|hot|late|early)\b/i.test(
        clause,
      )
    )
      return { text: clause, from: null };
    if (
      pronoun === 'it' &&
      /\bit['’]?s? (?:is |was )?(?:\w+ )?(?:years?|weeks?|months?|days?|hours?|her|him|me|the \w+ that)\b/i.test(clause)
    )
      return { text: clause, from: null };
    const found = resolvePronoun(pronoun, this.#mentions, index, [turn.speaker]);
    if (found === null) return { text: clause, from: null };
    const ending = match[3] ?? '';
    const at = match[0].length - ending.length;
    const verb: Readonly<Record<string, string>> = {
      s: /^ (?:been|got|\w+ed|gone|done|taken|made|had|put|said)\b/.test(clause.slice(match[0].length))
        ? ' has'
        : ' is',
      d: ' would',
      ll: ' will',
      ve: ' have',
      re: ' are',
    };
    return {
      text: `${clause.slice(0, at)} (${found.text})${ending === '' ? '' : (verb[ending.slice(1)] ?? '')}${clause.slice(match[0].length)}`,
      from: found.turnId,
    };
  }

  /** Says whose "hers", "his" or "her dog" is, where a clause ends in it. */
  #glossOwner(clause: string, turn: FormationTurn, index: number): { text: string; from: string | null } {
    const match = OWNER_PRONOUN.exec(clause);
    if (match === null) return { text: clause, from: null };
    const word = match[0];
    const pronoun = word.toLowerCase() === 'his' ? 'he' : 'she';
    const persons = this.#mentions.filter((mention) => mention.kind === 'person');
    const found = resolvePronoun(pronoun, persons, index, [turn.speaker]);
    if (found === null) return { text: clause, from: null };
    const end = match.index + word.length;
    return { text: `${clause.slice(0, end)} (${found.text}'s)${clause.slice(end)}`, from: found.turnId };
  }

  #caption(turn: FormationTurn, caption: string): Draft {
    const statement = `${turn.speaker} shared an image of ${caption.trim()}`.slice(0, 400).toWellFormed();
    return this.#draft(statement, statement, turn, [turn.id], turn.at, []);
  }

  #draft(
    statement: string,
    said: string,
    turn: FormationTurn,
    sources: readonly string[],
    observedAt: string,
    doubts: readonly Doubt[],
  ): Draft {
    const words = new Set(plainWords(statement));
    const speakers = this.#participants.filter((name) => plainWords(name).every((word) => words.has(word)));
    const persons = findNames(said, this.#language.lexicon, this.#known).filter((mention) => mention.looksLikePerson);
    const subjects = [...new Set([...speakers, ...persons.map((mention) => mention.name)])].slice(0, MAX_SUBJECTS);
    const ended = /[.!?…]["'”’)]*$/.test(statement) ? statement : `${statement}.`;
    return {
      statement: (ended.slice(0, 1).toUpperCase() + ended.slice(1)).replace(/!+(["'”’)]*)$/, '.$1'),
      subjects: subjects.length > 0 ? subjects : [turn.speaker],
      sources,
      observedAt,
      confidence: confidenceOf(doubts),
    };
  }
}

/** A sentence without a subject that opens with a past or an -ing form tells what its speaker did or does. */
function isOwnActOf(sentence: string, lexicon: Lexicon): boolean {
  const first = /^([\p{L}]+) \S/u.exec(sentence)?.[1]?.toLowerCase() ?? '';
  if (isIrregularPast(first))
    return /^(?!put|set|cut|let|shut|hit|read|hurt|cost|split|spread|quit|left|lit|born)/.test(first);
  const lemma = lemmaOf(first, lexicon);
  const isForm = /(?:ed|ing)$/.test(first) && lemma !== first && lexicon.knows(lemma, 'verb');
  return isForm && !lexicon.knows(first, 'noun');
}

function isImperative(sentence: string, { lexicon }: LanguageResources): boolean {
  const first = plainWords(sentence)[0] ?? '';
  return (
    /^(?:don't|do|let|let's|please|never|just)\b/i.test(sentence) ||
    (!isStopWord(first) &&
      lexicon.knows(first, 'verb') &&
      !/(?:s|ed|ing)$/.test(first) &&
      !lexicon.knows(first, 'noun'))
  );
}
