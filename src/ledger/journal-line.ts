import { z } from 'zod';
import { canonicalJson } from '../core/canonical-json.js';
import { DIGEST_PATTERN, type Digest } from '../core/digest.js';
import { internalFault } from '../core/errors.js';
import type { NanoUsd } from './money.js';

/** The version of the journal's lines, docs/formats/ledger.md. */
export const LEDGER_FORMAT = 'ledger@1';

const amount = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const instant = z.iso.datetime();
/** Reservations count from `r1`, without a gap. */
const id = z.string().regex(/^r[1-9]\d{0,14}$/);

/** The account after a line: a reader checks the invariant at any line without reading another. */
const running = { limit_nano_usd: amount, spent_nano_usd: amount, held_nano_usd: amount };

/** The first line. */
export const openingSchema = z.strictObject({
  format: z.literal(LEDGER_FORMAT),
  run: z.string().min(1),
  opened_at: instant,
  ...running,
});

const reserve = z.strictObject({
  kind: z.literal('reserve'),
  id,
  amount_nano_usd: amount,
  arm: z.string().nullable(),
  stage: z.enum(['formation', 'query', 'index', 'reader', 'judge']),
  fixture: z.string(),
  unit: z.string(),
  body: z.custom<Digest>((value) => typeof value === 'string' && DIGEST_PATTERN.test(value)),
  at: instant,
  ...running,
});
const settle = z.strictObject({ kind: z.literal('settle'), id, cost_nano_usd: amount, at: instant, ...running });
const release = z.strictObject({
  kind: z.literal('release'),
  id,
  sent: z.boolean(),
  reason: z.string(),
  at: instant,
  ...running,
});
const hold = z.strictObject({ kind: z.literal('hold'), id, reason: z.string(), at: instant, ...running });
const breach = z.strictObject({ kind: z.literal('breach'), id, excess_nano_usd: amount, at: instant, ...running });
const amendment = z.strictObject({
  kind: z.literal('amendment'),
  from_nano_usd: amount,
  to_nano_usd: amount,
  at: instant,
  ...running,
});

/** Every line after the first. */
export const lineSchema = z.discriminatedUnion('kind', [reserve, settle, release, hold, breach, amendment]);

/** The first line of a journal. */
export type LedgerOpening = z.output<typeof openingSchema>;
/** One later line of a journal. */
export type LedgerLine = z.output<typeof lineSchema>;
/** The sums that every line carries. */
export type RunningSums = Pick<LedgerLine, keyof typeof running>;
type WithoutSums<Line> = Line extends unknown ? Omit<Line, keyof typeof running | 'at'> : never;
/** What a line says has happened, without the time and the sums that follow from it. */
export type LedgerEvent = WithoutSums<LedgerLine>;

/**
 * An amount as a JSON number.
 *
 * @throws internal fault `LEDGER_AMOUNT_UNSAFE` for a negative amount or one above 2^53 - 1 nano-dollars (about nine million USD).
 */
export function safeNumber(value: NanoUsd): number {
  if (value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw internalFault('LEDGER_AMOUNT_UNSAFE', `${value} nano-dollars cannot be booked exactly`);
  }
  return Number(value);
}

/** The exact text of a line, as the journal writes it. */
export function lineText(line: LedgerOpening | LedgerLine): string {
  return canonicalJson(line);
}

/** Why a reservation is held that a session found open, which resumed the run (LG-6). */
export const OPEN_WHEN_RESUMED = 'open-when-resumed';
