import { z } from 'zod';
import { type Billing, ProviderFailure, type ProviderFailureReason } from '../completion.js';
import type { Usage } from '../usage.js';
import { withoutKey } from './redaction.js';

/** A count of tokens on the wire. */
export const tokenCount = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);
/** A count that servers may leave out or give as null: then none. */
export const optionalTokenCount = tokenCount.nullish().transform((count) => count ?? 0);

/** The name of the model that answered. It is kept, so that it is text that a file can hold. */
export const modelName = z
  .string()
  .min(1)
  .max(256)
  .refine((name) => name.isWellFormed() && !name.includes('\0'));
/** What is worth reading of an answer that is otherwise malformed: its bill. */
const billSchema = z.object({ model: modelName.nullish().catch(null), usage: z.unknown().optional() });

/** What an API answers with. The schema is an allow-list: what it does not name is dropped, and cannot be kept (FB-7). */
export interface AnswerShape<Data> {
  /** For errors: `the answer is no <what>`. */
  readonly what: string;
  readonly schema: z.ZodType<Data>;
  /** False where an answer that is malformed is not believed in its usage either: its failures have no known bill. */
  readonly bills_failures?: false;
  /** Usage in disjoint parts; null where it is missing or impossible. */
  usageOf(raw: unknown, hasContent: boolean): Usage | null;
}

/** An answer that is what its API says it is. */
export interface Answer<Data> {
  readonly data: Data;
  /** Without the key. */
  readonly reported_model: string | null;
  usage(hasContent: boolean): Usage | null;
  /** A failure that is billed by this answer's usage, where it has a possible one. */
  failure(reason: ProviderFailureReason, message: string): ProviderFailure;
}

/**
 * Parses the body of a 2xx answer (PR-3).
 *
 * @throws {ProviderFailure} `empty-response` where there is no body, `malformed-response` where it is not JSON or not of the shape. A bill
 * that can be read all the same is the failure's billing; otherwise it is unknown.
 */
export function parseAnswer<Data>(
  shape: AnswerShape<Data>,
  body: string,
  status: number,
  apiKey: string | null,
): Answer<Data> {
  if (body.trim() === '')
    throw new ProviderFailure('empty-response', 'the answer has no body', { billing: 'unknown', status });
  const raw = parseJson(body, status);
  const bill = billSchema.safeParse(raw);
  const model = bill.data?.model ?? null;
  const reported_model = model === null ? null : withoutKey(model, apiKey);
  const usage = (hasContent: boolean): Usage | null =>
    bill.success ? shape.usageOf(bill.data.usage, hasContent) : null;
  const failure = (reason: ProviderFailureReason, message: string): ProviderFailure => {
    // As if it had content, so that a zero output is not believed.
    const billed = shape.bills_failures === false ? null : usage(true);
    const billing: Billing = billed === null ? 'unknown' : { usage: billed, reported_model };
    return new ProviderFailure(reason, message, { billing, status });
  };
  const parsed = shape.schema.safeParse(raw);
  if (parsed.success) return { data: parsed.data, reported_model, usage, failure };
  const where = parsed.error.issues[0]?.path.join('.') ?? '';
  throw failure('malformed-response', `the answer is no ${shape.what}${where && `: see ${where}`}`);
}

function parseJson(body: string, status: number): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new ProviderFailure('malformed-response', 'the answer is not JSON', { billing: 'unknown', status });
  }
}
