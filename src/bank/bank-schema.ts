import { z } from 'zod';
import { DIGEST_PATTERN, type Digest } from '../core/digest.js';
import { BANK_LIMITS, type Bank, type BankCall, type BankIdentity, type RequestIdentity } from './bank.js';
import { REQUEST_IDENTITY_ALGORITHM } from './request-identity.js';

// Every object is strict: a field that this version does not know is refused, never passed over.
const digest = z.string().regex(DIGEST_PATTERN) as unknown as z.ZodType<Digest>;
const count = z.int().nonnegative();
export const kindSchema = z.enum(['openai', 'anthropic', 'local', 'transcript']);
const wireApi = z.enum(['chat-completions', 'responses', 'embeddings', 'messages', 'in-process']);

const parameters = z.strictObject({
  max_output_tokens: z.int().positive(),
  temperature: z.number().nullable(),
  top_p: z.number().nullable(),
  seed: z.number().nullable(),
  reasoning_effort: z.enum(['minimal', 'low', 'medium', 'high']).nullable(),
});

/** What a bank binds. */
export const bankIdentitySchema: z.ZodType<BankIdentity> = z.strictObject({
  corpus: digest,
  owner: z.strictObject({ tenant: z.string(), principal: z.string() }),
  policy: z.string(),
  profile: z.strictObject({ kind: kindSchema, wire_api: wireApi, endpoint: z.string(), model: z.string(), parameters }),
  persistence: z.enum(['supersede', 'append']),
  implementation: digest,
  replicate: z.int().positive(),
});

/** A request's identity. */
export const requestIdentitySchema: z.ZodType<RequestIdentity> = z.strictObject({
  digest,
  parts: z.strictObject({ messages: z.array(digest), schema: digest, parameters: digest }),
  metadata: z.strictObject({
    stage: z.enum(['formation', 'query', 'index', 'reader', 'judge']),
    fixture: z.string(),
    batch: z.string().nullable(),
    question: z.string().nullable(),
  }),
});

/** The resolved model, less the excluded paths. */
export const boundModelSchema: z.ZodType<BankCall['resolved']> = z.strictObject({
  kind: kindSchema,
  wire_api: wireApi,
  endpoint: z.string(),
  model: z.string(),
});

/** Tokens of a call; null where the provider gave none. */
export const usageSchema = z
  .strictObject({ input_uncached: count, cache_read: count, cache_write: count, output: count, reasoning: count })
  .nullable();

/** What is kept of a supported completion (FB-7), and nothing else. */
export const keptCompletionSchema = z.strictObject({
  reported_model: z.string().nullable(),
  finish: z.literal('stop'),
  output: z.string(),
  usage: usageSchema,
});

const call: z.ZodType<BankCall> = z.strictObject({
  request: requestIdentitySchema,
  resolved: boundModelSchema,
  ...keptCompletionSchema.shape,
  attempts: z.int().positive(),
});

/** A bank's file. */
export const bankSchema: z.ZodType<Bank> = z.strictObject({
  format: z.literal('formation-bank@1'),
  identity_algorithm: z.literal(REQUEST_IDENTITY_ALGORITHM),
  identity: bankIdentitySchema,
  calls: z.array(call).max(BANK_LIMITS.calls),
  call_count: count,
  attempt_count: count,
  state: z.strictObject({ digest, beliefs: count, people: count }),
  continues: z.strictObject({ journal: digest, completions: count }).optional(),
  recorded_at: z.iso.datetime({ precision: 3 }),
  digest,
});
