import type { NameMention } from './names.js';
import type { KnownPerson } from './request.js';

/** A person as the former reports them. */
export interface FormedPerson {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly role: string | null;
  readonly sources: readonly string[];
}

interface Sighting {
  readonly mention: NameMention;
  readonly speaker: string;
  readonly turnId: string;
}

const MAX_SOURCES = 8;

/** Gathers speakers and the persons they name; roles come from kinship words ("my sister Una" of Ann gives "Ann's sister"). */
export class PeopleGatherer {
  readonly #sources = new Map<string, string[]>();
  readonly #roles = new Map<string, string>();

  sawSpeaker(name: string, turnId: string): void {
    if (name.trim() !== '') this.#add(name, turnId);
  }

  sawName({ mention, speaker, turnId }: Sighting): void {
    if (!mention.looksLikePerson) return;
    this.#add(mention.name, turnId);
    const role = roleOf(mention, speaker);
    if (role !== null && !this.#roles.has(mention.name)) this.#roles.set(mention.name, role);
  }

  /** In order of first sight. A first name alone is an alias of the one longer name that holds it. */
  people(known: readonly KnownPerson[]): FormedPerson[] {
    const names = [...this.#sources.keys()];
    const longer = (name: string): string | null => {
      const candidates = [...new Set([...names, ...known.map((person) => person.name)])].filter(
        (other) => other !== name && other.split(' ').includes(name),
      );
      return candidates.length === 1 ? (candidates[0] ?? null) : null;
    };
    const merged = new Map<string, { aliases: string[]; sources: string[]; role: string | null }>();
    for (const name of names) {
      const full = longer(name) ?? name;
      const entry = merged.get(full) ?? { aliases: [], sources: [], role: null };
      if (full !== name) entry.aliases.push(name);
      entry.sources.push(...(this.#sources.get(name) ?? []));
      entry.role ??= this.#roles.get(name) ?? this.#roles.get(full) ?? null;
      merged.set(full, entry);
    }
    return [...merged].map(([name, entry]) => ({
      name,
      aliases: entry.aliases,
      role: entry.role,
      sources: [...new Set(entry.sources)].slice(0, MAX_SOURCES),
    }));
  }

  #add(name: string, turnId: string): void {
    const sources = this.#sources.get(name) ?? [];
    if (!sources.includes(turnId)) sources.push(turnId);
    this.#sources.set(name, sources);
  }
}

function roleOf(mention: NameMention, speaker: string): string | null {
  if (mention.kin === null) return null;
  const of = mention.kinOf?.toLowerCase() ?? '';
  if (of === 'my' || of === 'our') return `${speaker}'s ${mention.kin}`;
  if (/['’]s$/.test(of)) return `${mention.kinOf ?? ''} ${mention.kin}`.replace('’', "'");
  return mention.kin;
}
