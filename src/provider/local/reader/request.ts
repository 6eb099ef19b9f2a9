import { z } from 'zod';

const readerSchema = z.object({
  context: z.array(z.string()),
  present: z.string(),
  question: z.string(),
  /** Of a deliberate reader's message alone. */
  searches: z.array(z.object({ query: z.string(), subjects: z.array(z.string()) })).default([]),
  searches_left: z.int().min(0).nullable().default(null),
});

/** The reader's message (docs/formats/model-requests.md). */
export type ReaderMessage = z.infer<typeof readerSchema>;

/** Reads a reader's message. What is no such message has no context: a model is shown anything, and always answers by the schema. */
export function readReaderMessage(message: unknown): ReaderMessage {
  const parsed = readerSchema.safeParse(message);
  return parsed.success ? parsed.data : { context: [], present: '', question: '', searches: [], searches_left: null };
}
