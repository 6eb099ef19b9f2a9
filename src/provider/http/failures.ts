import { z } from 'zod';
import { type Billing, ProviderFailure, type ProviderFailureReason } from '../completion.js';
import type { Body, Exchange } from './exchange.js';
import { redact } from './redaction.js';
import { retryAfterMs } from './retry-after.js';

/** What an error may say of the call, and what it must not. */
export interface FailureFacts {
  readonly endpoint: string;
  readonly api_key: string | null;
  readonly credential_ref: string | null;
  readonly model: string;
  /** The present, for a `Retry-After` that is a date. */
  readonly now_iso: string;
  readonly timeout_ms: number;
  readonly max_response_bytes: number;
}

/** An exchange without a usable answer, as a typed failure with what is certain about its bill (PR-3, LG-4, LG-5). */
export function failureOf(result: Exchange, facts: FailureFacts): ProviderFailure {
  if (result.kind === 'failed') return unanswered(result, facts);
  if (result.status >= 200 && result.status <= 299) return unreadable(result.status, result.body, facts);
  return refused(result.status, result.retry_after, result.body, facts);
}

function unanswered(result: Extract<Exchange, { kind: 'failed' }>, facts: FailureFacts): ProviderFailure {
  const billing: Billing = result.sent ? 'unknown' : 'not-billed';
  const { endpoint } = facts;
  if (result.why === 'timeout')
    return new ProviderFailure('timeout', `${endpoint} did not answer within ${facts.timeout_ms} ms`, {
      billing,
    });
  if (result.why === 'cancelled')
    return new ProviderFailure(
      'cancelled',
      `the call to ${endpoint} was cancelled ${result.sent ? 'after' : 'before'} it was sent`,
      {
        billing,
      },
    );
  if (result.sent)
    return new ProviderFailure(
      'cut-connection',
      `${endpoint} cut the connection before it answered (${result.detail})`,
      {
        billing,
      },
    );
  return new ProviderFailure('unreachable', `${endpoint} cannot be reached (${result.detail})`, {
    billing,
  });
}

function unreadable(status: number, body: Body, facts: FailureFacts): ProviderFailure {
  const from = facts.endpoint;
  const made = (reason: ProviderFailureReason, message: string): ProviderFailure =>
    new ProviderFailure(reason, message, { billing: 'unknown', status });
  switch (body.kind) {
    case 'timeout':
      return made('timeout', `the answer of ${from} did not end within ${facts.timeout_ms} ms`);
    case 'cancelled':
      return made('cancelled', `the call to ${from} was cancelled while its answer came in`);
    case 'cut':
      return made('cut-connection', `${from} cut the connection within its answer`);
    case 'oversized':
      return made('oversized-response', `the answer of ${from} is larger than ${facts.max_response_bytes} bytes`);
    default:
      return made('malformed-response', `the answer of ${from} is not UTF-8`);
  }
}

function refused(status: number, retryAfter: string | null, body: Body, facts: FailureFacts): ProviderFailure {
  const { reason, billing, remedy } = verdictOf(status, facts);
  const words = serverWords(body);
  const quoted = words === null ? '' : `: ${redact(words, facts.api_key)}`;
  return new ProviderFailure(reason, `${facts.endpoint} answered ${status}${quoted}`, {
    billing,
    status,
    retry_after_ms: retryAfterMs(retryAfter, facts.now_iso),
    remedy,
  });
}

interface Verdict {
  readonly reason: ProviderFailureReason;
  readonly billing: Billing;
  readonly remedy?: string | undefined;
}

// https://platform.openai.com/docs/guides/error-codes#api-errors
function verdictOf(status: number, facts: FailureFacts): Verdict {
  if (status >= 500) return { reason: 'server-error', billing: 'unknown' };
  if (status === 408) return { reason: 'timeout', billing: 'unknown' };
  if (status < 400)
    return {
      reason: 'malformed-response',
      billing: 'unknown',
      remedy: 'give the final base URL: redirects are not followed',
    };
  const billing = 'not-billed';
  if (status === 401 || status === 403)
    return { reason: 'authentication', billing, remedy: keyRemedy(facts.credential_ref) };
  if (status === 429) return { reason: 'rate-limited', billing };
  if (status === 404)
    return {
      reason: 'invalid-request',
      billing,
      remedy: `check the base URL, and that it serves the model ${facts.model}`,
    };
  return { reason: 'invalid-request', billing };
}

function keyRemedy(credentialRef: string | null): string | undefined {
  return credentialRef === null
    ? undefined
    : `check the key in the environment variable ${credentialRef}, and its rights`;
}

// https://platform.openai.com/docs/guides/error-codes; some compatible servers send the message without an envelope.
const errorSchema = z.union([
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
  z.object({ error: z.string() }).transform(({ error }) => error),
  z.object({ message: z.string() }).transform(({ message }) => message),
]);

function serverWords(body: Body): string | null {
  if (body.kind !== 'whole') return null;
  try {
    const parsed = errorSchema.safeParse(JSON.parse(body.text));
    return parsed.success ? parsed.data : null;
  } catch {
    // A proxy's HTML page says nothing that the status does not.
    return null;
  }
}
