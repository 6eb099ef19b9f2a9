import { z } from 'zod';

const bodySchema = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
  parameters: z.object({ max_output_tokens: z.number() }),
});

/** What a local model reads from the bytes of its call. */
export interface LocalBody {
  readonly model: string;
  /** Contents of all messages, for counting. */
  readonly contents: readonly string[];
  /** The last user message's JSON; null where it is none, as a model may be shown anything. */
  readonly message: unknown;
  /** The output limit in tokens. */
  readonly limit: number;
}

/** Parses a body that `prepare` wrote. */
export function parseBody(bytes: Uint8Array): LocalBody {
  const { model, messages, parameters } = bodySchema.parse(
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)),
  );
  const user = messages.findLast((message) => message.role === 'user');
  return {
    model,
    contents: messages.map((message) => message.content),
    message: jsonOrNull(user?.content ?? ''),
    limit: parameters.max_output_tokens,
  };
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
