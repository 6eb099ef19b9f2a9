import { z } from 'zod';
import type { Ranker, RankingRequest } from '../../memory/recall/ranker.js';
import { type CallableModule, moduleFailure } from '../../module/module.js';

const ranking = z.array(z.strictObject({ id: z.string(), score: z.number().nullable().default(null) }));

/** A strategy module as what recall is ranked by (RT-6). It is handed items and the question as data: no label and no database (FX-3). */
export function moduleRanker(module: CallableModule): Ranker {
  const { path } = module.module;
  return {
    name: `the strategy module ${path}`,
    rank: async (request: RankingRequest) => {
      const what = `the question ${request.question.id}`;
      const given = await module.call('rank', [request], what);
      if (Array.isArray(given) && given.length > request.limit)
        throw moduleFailure(
          'UNSOUND',
          module.module,
          what,
          `it gave ${given.length} items, and the limit is ${request.limit}`,
        );
      const parsed = ranking.safeParse(given);
      if (parsed.success) return parsed.data;
      const [issue] = parsed.error.issues;
      const place = issue?.path.length ? `at ${issue.path.join('.')}: ` : '';
      throw moduleFailure(
        'UNSOUND',
        module.module,
        what,
        `its ranking is no list of {id, score}: ${place}${issue?.message}`,
      );
    },
  };
}
