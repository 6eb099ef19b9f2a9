import { digestText } from '../../src/core/digest.js';
import type { PreparationContext } from '../../src/memory/query-preparation/query-preparation.js';
import type { EmbeddingTuple } from '../../src/provider/embedding.js';

/** A context in which nothing bars a query; what leaves this process goes to no stated region, under no rule. */
export function sampleContext(
  embedding: EmbeddingTuple,
  leaves_process: boolean,
  changes: Partial<PreparationContext> = {},
): PreparationContext {
  return {
    policy_version: 'facts@1',
    retrieval_policy_version: 'recall@1',
    surface: 's',
    task: digestText('task'),
    sensitivity_floor: 'internal',
    embedding,
    pricing: digestText('pricing'),
    egress: { leaves_process, region: null, residency: null },
    ...changes,
  };
}
