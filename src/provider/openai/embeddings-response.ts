import { z } from 'zod';
import { counted } from '../../core/counted.js';
import type { EmbeddingResult } from '../embedding.js';
import { type AnswerShape, parseAnswer, tokenCount } from '../http/answer.js';
import { vectorsProblem } from '../sound-vectors.js';
import { NO_USAGE, type Usage, usageProblem } from '../usage.js';

// https://platform.openai.com/docs/api-reference/embeddings/object
const itemSchema = z.object({ index: z.number().int().min(0), embedding: z.array(z.number()) });
const SHAPE: AnswerShape<{ data: z.output<typeof itemSchema>[] }> = {
  what: 'list of embeddings',
  schema: z.object({ data: z.array(itemSchema) }),
  // Only validated usage lowers a charge (SQ-10).
  bills_failures: false,
  usageOf: embeddingsUsage,
};

const usageSchema = z.object({ prompt_tokens: tokenCount, total_tokens: tokenCount });

/** What was asked for. */
export interface AskedVectors {
  readonly count: number;
  readonly dimensions: number;
}

/**
 * Reads an answer's vectors, in the order of the texts, whatever order they came in (PR-3).
 *
 * @throws {ProviderFailure} as `parseAnswer` does; `malformed-response` where a text has none or two, one has another length, a number is
 * not finite as a 32-bit float, or a vector is zero. Its usage is no bill then.
 */
export function readEmbeddings(
  { count, dimensions }: AskedVectors,
  body: string,
  status: number,
  apiKey: string | null,
): EmbeddingResult {
  const answer = parseAnswer(SHAPE, body, status, apiKey);
  const { data } = answer.data;
  const byIndex = new Map(data.map(({ index, embedding }) => [index, embedding]));
  if (data.length !== count || byIndex.size !== count)
    throw answer.failure('malformed-response', `${counted(data.length, 'vector')} for ${counted(count, 'text')}`);
  const vectors = Array.from({ length: count }, (_, index) => {
    const numbers = byIndex.get(index);
    if (numbers === undefined) throw answer.failure('malformed-response', `no vector for text ${index + 1}`);
    return Float32Array.from(numbers);
  });
  const problem = vectorsProblem(vectors, count, dimensions);
  if (problem !== null) throw answer.failure('malformed-response', problem);
  return { vectors, reported_model: answer.reported_model, usage: answer.usage(false) };
}

/**
 * Embeddings make no output: their prompt is all of their tokens (https://platform.openai.com/docs/api-reference/embeddings/create).
 *
 * @returns null where usage is missing or impossible (LG-4).
 */
export function embeddingsUsage(raw: unknown): Usage | null {
  const parsed = usageSchema.safeParse(raw);
  if (!parsed.success || parsed.data.prompt_tokens !== parsed.data.total_tokens) return null;
  const usage: Usage = { ...NO_USAGE, input_uncached: parsed.data.prompt_tokens };
  return usageProblem(usage, false) === null ? usage : null;
}
