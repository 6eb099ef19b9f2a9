import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { type Digest, digestJson } from '../core/digest.js';
import { internalFault, messageOf } from '../core/errors.js';
import type { Completion, CompletionRequest, FinishReason } from './completion.js';
import { jsonPath, scanJsonText, textProblem } from './json-text.js';

/** Formation has a schema a request (ids are enumerated), the reader one for all: the most recent suffice. */
const CACHED_VALIDATORS = 256;

const UNSUPPORTED_FINISH: Readonly<Record<Exclude<FinishReason, 'stop'>, string>> = {
  length: 'truncated: it reached the output limit',
  refusal: 'refused by the model',
  'content-filter': 'withheld by a content filter',
  'tool-calls': 'asks for tool calls',
  other: 'ended for a reason that is not known',
};

/**
 * Why a completion must not be used or banked (FB-11); null where it is supported: it stopped by itself, calls no tool, and has
 * exactly one content, which is JSON that satisfies the request's schema and holds neither U+0000 nor lone surrogates.
 *
 * The reason is short and names the path; it quotes no value.
 */
export function unsupportedReason(request: CompletionRequest, completion: Completion): string | null {
  if (completion.finish !== 'stop') return UNSUPPORTED_FINISH[completion.finish];
  if (completion.tool_calls > 0) return `asks for ${completion.tool_calls} tool calls`;
  const [content] = completion.contents;
  if (content === undefined) return 'has no content';
  if (completion.contents.length > 1) return `has ${completion.contents.length} contents`;
  const inText = textProblem(content);
  if (inText !== null) return `holds ${inText}`;
  const scan = scanJsonText(content);
  if (scan.problem !== null) return scan.problem;
  return schemaBreach(request, scan.value);
}

function schemaBreach(request: CompletionRequest, value: unknown): string | null {
  const validate = validatorFor(request);
  if (validate(value)) return null;
  const error = validate.errors?.[0];
  return error === undefined ? 'breaks the schema' : `breaks the schema at ${describe(error)}`;
}

function describe(error: ErrorObject): string {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((parent, part) => jsonPath(parent, /^\d+$/.test(part) ? Number(part) : part), '$');
  // An unexpected key is the model's own text: it is named by its path, cut like one.
  if (error.keyword === 'additionalProperties')
    return `${jsonPath(path, String(error.params.additionalProperty))}: not a property`;
  if (error.keyword === 'enum') return `${path}: not one of the allowed values`;
  return `${path}: ${error.message ?? error.keyword}`;
}

const validators = new Map<Digest, ValidateFunction>();

function validatorFor(request: CompletionRequest): ValidateFunction {
  const digest = digestJson(request.response_schema.schema);
  const known = validators.get(digest);
  // Taken out and put back: a Map's order is then the order of use.
  validators.delete(digest);
  const validator = known ?? compile(request);
  validators.set(digest, validator);
  const oldest = validators.keys().next();
  if (validators.size > CACHED_VALIDATORS && !oldest.done) validators.delete(oldest.value);
  return validator;
}

// `format` is an annotation in JSON Schema 2020-12; the runtime checks dates itself. A schema is used a few times, so what counts is the
// time to compile it: long enums become loops, and the code is not optimised.
const ajv = new Ajv2020({
  strict: false,
  validateFormats: false,
  ownProperties: true,
  loopEnum: 4,
  code: { optimize: false },
});

function compile(request: CompletionRequest): ValidateFunction {
  const { name, schema } = request.response_schema;
  try {
    return ajv.compile(schema);
  } catch (cause) {
    throw internalFault('RESPONSE_SCHEMA_INVALID', `the response schema ${name} is invalid: ${messageOf(cause)}`, {
      cause,
    });
  } finally {
    // Its own cache has no bound; ours does.
    ajv.removeSchema(schema);
  }
}
