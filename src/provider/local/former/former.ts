import type { LanguageResources } from '../language/resources.js';
import { plainWords } from '../language/terms.js';
import type { Draft } from './draft.js';
import { findNames } from './names.js';
import { type FormedPerson, PeopleGatherer } from './people.js';
import { type FormationMessage, readFormationMessage } from './request.js';
import { StatementFormer } from './statements.js';
import { supersededBy } from './supersession.js';

/** A formation completion (docs/formats/model-requests.md). */
export interface FormationAnswer {
  readonly beliefs: readonly FormedBelief[];
  readonly people: readonly FormedPerson[];
}

export interface FormedBelief {
  readonly statement: string;
  readonly subjects: readonly string[];
  readonly sources: readonly string[];
  readonly confidence: number;
  readonly observed_at: string;
  readonly supersedes: readonly string[];
}

/** Forms beliefs and people from one message. Deterministic; anything that is no formation message forms nothing. */
export function formFacts(raw: unknown, language: LanguageResources): FormationAnswer {
  const message = readFormationMessage(raw);
  const participants = participantsOf(message);
  const people = new PeopleGatherer();
  const former = new StatementFormer(language, participants, knownNames(message, participants, language), people);
  const drafts = message.turns.flatMap((turn, index) => former.form(turn, index));
  const retired = new Set<string>();
  const beliefs = distinct(drafts).map((draft) => {
    const supersedes = supersededBy(
      draft,
      message.beliefs.filter((belief) => !retired.has(belief.ref)),
      language.lexicon,
    );
    for (const ref of supersedes) retired.add(ref);
    return {
      statement: draft.statement,
      subjects: draft.subjects,
      sources: draft.sources,
      confidence: draft.confidence,
      observed_at: draft.observedAt,
      supersedes,
    };
  });
  return { beliefs, people: people.people(message.people) };
}

/** Speakers of this batch, then known people whom they address by name. */
function participantsOf(message: FormationMessage): string[] {
  return [...new Set(message.turns.map((turn) => turn.speaker).filter((name) => name.trim() !== ''))];
}

/** Names that stand capitalised inside sentences, or are known already: only these may open a sentence and still be a name. */
function knownNames(
  message: FormationMessage,
  participants: readonly string[],
  { lexicon }: LanguageResources,
): ReadonlySet<string> {
  const known = new Set(participants.flatMap((name) => [name, ...name.split(' ')]));
  for (const person of message.people) for (const name of [person.name, ...person.aliases]) known.add(name);
  const silent: ReadonlySet<string> = new Set();
  const persons = message.turns
    .flatMap((turn) => findNames(turn.text.slice(0, 2_000), lexicon, silent))
    .filter((mention) => mention.looksLikePerson && plainWords(mention.name).length > 0);
  for (const mention of persons) known.add(mention.name);
  return known;
}

function distinct(drafts: readonly Draft[]): Draft[] {
  const seen = new Set<string>();
  return drafts.filter((draft) => !seen.has(draft.statement) && seen.add(draft.statement) !== undefined);
}
