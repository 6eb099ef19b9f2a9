import { canonicalJson } from '../../core/canonical-json.js';
import type { CompletionRequest } from '../../provider/completion.js';

/** A reader's exact request, as it is kept in `requests/` by its digest. */
export function exactRequest({ model, messages, response_schema, parameters }: CompletionRequest): string {
  return canonicalJson({ model: model.model, messages, response_schema, parameters });
}
