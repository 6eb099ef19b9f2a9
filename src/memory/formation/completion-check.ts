import { z } from 'zod';
import { isCivilTime, latestCivilTime } from '../../core/civil-time.js';
import { RecallMatrixError } from '../../core/errors.js';
import type { Completion } from '../../provider/completion.js';
import { unsupportedReason } from '../../provider/supported-completion.js';
import type { NewBelief, PersonMention, StoredTurn } from '../beliefs/belief-store.js';
import type { BatchToForm, FormationRequest } from './formation-request.js';

const COMPLETION = z.strictObject({
  beliefs: z.array(
    z.strictObject({
      statement: z.string(),
      subjects: z.array(z.string()),
      sources: z.array(z.string()),
      confidence: z.number().min(0).max(1),
      observed_at: z.string().nullable(),
      supersedes: z.array(z.string()),
    }),
  ),
  people: z.array(
    z.strictObject({
      name: z.string(),
      aliases: z.array(z.string()),
      role: z.string().nullable(),
      sources: z.array(z.string()),
    }),
  ),
});
type ParsedCompletion = z.infer<typeof COMPLETION>;

/** What a completion gives, checked. */
export interface CheckedCompletion {
  /** Without ids: those come from the place in the history. */
  readonly beliefs: readonly Omit<NewBelief, 'id'>[];
  readonly people: readonly PersonMention[];
}

/**
 * Checks a completion against its request. Nothing is guessed or repaired, but that what is listed twice counts once.
 *
 * @throws kind `provider`, naming the batch: `FORMATION_UNKNOWN_REFERENCE` for a source or a reference that the request did not show,
 * `FORMATION_UNSUPPORTED_COMPLETION` (FB-11), `FORMATION_INVALID_DATE` for a date that is not in the calendar (FX-5),
 * `FORMATION_BLANK_TEXT` for a statement or name without a character.
 */
export function checkCompletion(
  batch: BatchToForm,
  { request, shown }: FormationRequest,
  completion: Completion,
): CheckedCompletion {
  const turns = new Map(batch.turns.map((turn) => [turn.id, turn]));
  const reason = unsupportedReason(request, completion);
  const parsed = parse(completion);
  // The schema lists what may be cited, so an unknown citation breaks it: it is reported as what it is.
  if (parsed !== null) assertReferences(batch.id, parsed, turns, shown);
  if (reason !== null || parsed === null) {
    throw formationError(
      'FORMATION_UNSUPPORTED_COMPLETION',
      batch.id,
      `its completion ${reason ?? 'breaks the schema'}`,
    );
  }
  assertTexts(batch.id, parsed);
  const sourcesOf = (ids: readonly string[]): StoredTurn[] =>
    [...new Set(ids)].map((id) => turns.get(id) as StoredTurn);
  return {
    beliefs: parsed.beliefs.map((belief, index) => {
      const sources = sourcesOf(belief.sources);
      return {
        statement: belief.statement,
        subjects: [...new Set(belief.subjects)],
        confidence: belief.confidence,
        observed_at: observedAt(batch.id, belief.observed_at, `$.beliefs[${index}].observed_at`, sources),
        sources,
        supersedes: [...new Set(belief.supersedes)].map((reference) => shown.get(reference)?.id as string),
      };
    }),
    people: parsed.people.map((person) => ({ ...person, sources: sourcesOf(person.sources) })),
  };
}

function parse(completion: Completion): ParsedCompletion | null {
  const [content] = completion.contents;
  if (content === undefined || completion.contents.length > 1 || completion.finish !== 'stop') return null;
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    // What is no JSON has its reason from `unsupportedReason`.
    return null;
  }
  return COMPLETION.safeParse(value).data ?? null;
}

function assertReferences(
  batch: string,
  parsed: ParsedCompletion,
  turns: ReadonlyMap<string, unknown>,
  shown: ReadonlyMap<string, unknown>,
): void {
  const refuse = (path: string, kind: string): never => {
    throw formationError('FORMATION_UNKNOWN_REFERENCE', batch, `${path} is no ${kind} of its request`);
  };
  for (const [list, entries] of [
    ['beliefs', parsed.beliefs],
    ['people', parsed.people],
  ] as const) {
    entries.forEach((entry, index) => {
      entry.sources.forEach((id, place) => {
        if (!turns.has(id)) refuse(`$.${list}[${index}].sources[${place}]`, 'turn');
      });
    });
  }
  parsed.beliefs.forEach((belief, index) => {
    belief.supersedes.forEach((reference, place) => {
      if (!shown.has(reference)) refuse(`$.beliefs[${index}].supersedes[${place}]`, 'belief');
    });
  });
}

function assertTexts(batch: string, parsed: ParsedCompletion): void {
  const check = (texts: readonly string[], path: string): void => {
    if (texts.some((text) => text.trim() === ''))
      throw formationError('FORMATION_BLANK_TEXT', batch, `${path} is blank`);
  };
  parsed.beliefs.forEach((belief, index) => {
    check([belief.statement], `$.beliefs[${index}].statement`);
    check(belief.subjects, `a subject of $.beliefs[${index}]`);
  });
  parsed.people.forEach((person, index) => {
    check([person.name, ...person.aliases], `a name of $.people[${index}]`);
  });
}

function observedAt(batch: string, given: string | null, path: string, sources: readonly StoredTurn[]): string {
  if (given === null) return latestCivilTime(sources.map((source) => source.at)) as string;
  if (isCivilTime(given) || isCivilTime(`${given}T00:00:00`)) return given;
  throw formationError('FORMATION_INVALID_DATE', batch, `${path} is no date of the calendar`);
}

function formationError(code: string, batch: string, what: string): RecallMatrixError {
  return new RecallMatrixError({
    kind: 'provider',
    code,
    message: `formation of batch ${batch}: ${what}`,
    remedy: 'form again, or with another model: what a model cites wrongly is never guessed',
    details: { batch },
  });
}
