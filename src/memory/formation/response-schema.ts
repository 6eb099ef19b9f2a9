import type { JsonObject } from '../../core/canonical-json.js';
import type { ResponseSchema } from '../../provider/completion.js';

/** A date or a civil time; whether it exists in the calendar is checked when it is read. */
const OBSERVED_AT_PATTERN = '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}:\\d{2})?$';

/**
 * The schema of a formation completion, within the subset of strict structured output. It lists this request's turn ids and references,
 * so that a model held to it cannot cite what it was not shown.
 *
 * @param turnIds at least one.
 */
export function formationSchema(turnIds: readonly string[], references: readonly string[]): ResponseSchema {
  const text = { type: 'string' };
  const texts = { type: 'array', items: text };
  const sources = { type: 'array', items: { type: 'string', enum: turnIds }, minItems: 1 };
  const belief = strictObject({
    statement: text,
    subjects: texts,
    sources,
    confidence: { type: 'number', minimum: 0, maximum: 1 },
    observed_at: { type: ['string', 'null'], pattern: OBSERVED_AT_PATTERN },
    supersedes: { type: 'array', ...referenceItems(references) },
  });
  const person = strictObject({ name: text, aliases: texts, role: { type: ['string', 'null'] }, sources });
  return {
    name: 'formation_facts',
    schema: strictObject({
      beliefs: { type: 'array', items: belief },
      people: { type: 'array', items: person },
    }),
  };
}

// An enum may not be empty: where nothing can be superseded, the one value names nothing, and the list may hold none of it.
function referenceItems(references: readonly string[]): JsonObject {
  return references.length > 0
    ? { items: { type: 'string', enum: references } }
    : { items: { type: 'string', enum: [''] }, maxItems: 0 };
}

function strictObject(properties: JsonObject): JsonObject {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}
