import type { z } from 'zod';
import { internalFault } from '../core/errors.js';
import type { Completion } from '../provider/completion.js';
import type { keptCompletionSchema } from './bank-schema.js';

/** What is kept of a supported completion, and nothing else (FB-7). */
export type KeptCompletion = z.infer<typeof keptCompletionSchema>;

/**
 * Projects a supported completion by allow-list: reasoning items, response ids, thinking signatures, headers and whatever a provider adds
 * are left behind, also where an adapter let them through.
 */
export function keepCompletion(completion: Completion): KeptCompletion {
  const [output] = completion.contents;
  if (output === undefined || completion.finish !== 'stop') {
    throw internalFault(
      'COMPLETION_NOT_KEEPABLE',
      `a completion with finish ${completion.finish} was taken for a supported one`,
    );
  }
  const { usage } = completion;
  return {
    output,
    finish: completion.finish,
    reported_model: completion.reported_model,
    usage:
      usage === null
        ? null
        : {
            input_uncached: usage.input_uncached,
            cache_read: usage.cache_read,
            cache_write: usage.cache_write,
            output: usage.output,
            reasoning: usage.reasoning,
          },
  };
}
