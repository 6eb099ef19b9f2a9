import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { canonicalJson, type JsonObject } from '../core/canonical-json.js';
import { DIGEST_PATTERN, type Digest } from '../core/digest.js';
import { ensureFolder, PRIVATE_FOLDER_MODE, writeExclusive } from '../core/durable-files.js';
import { bankRefused, invalidInput, messageOf, type RecallMatrixError } from '../core/errors.js';
import { type Journal, openJournal, readJournal } from '../core/journal.js';
import type { ProcessMark } from '../core/process-mark.js';
import { shellWord } from '../core/shell-word.js';
import { BANK_LIMITS } from './bank.js';
import {
  bankIdentitySchema,
  boundModelSchema,
  keptCompletionSchema,
  requestIdentitySchema,
  usageSchema,
} from './bank-schema.js';
import { REQUEST_IDENTITY_ALGORITHM } from './request-identity.js';

/** A journal holds each call's request and completion, and a line for each rejected attempt: it may be larger than its bank. */
const JOURNAL_LIMIT_BYTES = 4 * BANK_LIMITS.bytes;

const place = { call: z.int().positive().max(BANK_LIMITS.calls), attempt: z.int().positive() };
const ending = { reason: z.string(), at: z.string() };

const processSchema = z.strictObject({ host: z.string(), pid: z.int().positive(), started: z.string().nullable() });
const digestSchema = z.string().regex(DIGEST_PATTERN) as unknown as z.ZodType<Digest>;

const headerSchema = z.strictObject({
  kind: z.literal('header'),
  format: z.literal('pending-recording@1'),
  identity_algorithm: z.literal(REQUEST_IDENTITY_ALGORITHM),
  fixture: z.string(),
  identity: bankIdentitySchema,
  attempts: z.int().positive(),
  process: processSchema,
  started_at: z.string(),
  continues: z
    .strictObject({
      file: z.string(),
      journal: digestSchema,
      completions: z.int().nonnegative(),
      attempts: z.int().nonnegative(),
    })
    .optional(),
});

const lineSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('reserved'), ...place, request: requestIdentitySchema, resolved: boundModelSchema }),
  z.strictObject({ kind: z.literal('completed'), ...place, completion: keptCompletionSchema }),
  z.strictObject({
    kind: z.literal('taken-over'),
    ...place,
    request: requestIdentitySchema,
    resolved: boundModelSchema,
    completion: keptCompletionSchema,
  }),
  z.strictObject({ kind: z.literal('rejected'), ...place, reason: z.string(), usage: usageSchema }),
  z.strictObject({ kind: z.literal('sealed'), bank: digestSchema }),
  z.strictObject({ kind: z.literal('continued'), process: processSchema, at: z.string() }),
  z.strictObject({ kind: z.literal('interrupted'), ...ending }),
  z.strictObject({ kind: z.literal('failed'), ...ending }),
  z.strictObject({ kind: z.literal('abandoned'), ...ending }),
]);

/** The first line: what is recorded, by whom. */
export type PendingHeader = z.infer<typeof headerSchema>;
/** Every later line (FB-9). */
export type PendingLine = z.infer<typeof lineSchema>;

/** A journal as it was read. */
export interface PendingContent {
  readonly path: string;
  readonly header: PendingHeader;
  readonly lines: readonly PendingLine[];
}

/**
 * Makes a journal that must not exist yet, its header whole from the start (FB-9, FB-13).
 *
 * @returns null where there is one already; it is untouched.
 */
export async function createPendingJournal(path: string, header: PendingHeader): Promise<Journal | null> {
  await ensureFolder(dirname(path), PRIVATE_FOLDER_MODE);
  try {
    if (!(await writeExclusive(path, `${canonicalJson(header)}\n`))) return null;
    return await openJournal(path, 'append');
  } catch (cause) {
    throw invalidInput('FOLDER_NOT_WRITABLE', `cannot start a recording at ${path}: ${messageOf(cause)}`, {
      remedy: 'name a bank folder that you may write to, on a disk with space and hard links',
      cause,
    });
  }
}

/** Appends a line. */
export async function appendPending(journal: Journal, line: PendingLine): Promise<void> {
  await journal.append(line as unknown as JsonObject);
}

/**
 * Reads a journal. A torn last line, which was never durable, is left out.
 *
 * @returns null where there is no such file.
 * @throws `BANK_JOURNAL_BROKEN` (exit 5) where it is no journal: it is never taken for a first run.
 */
export async function readPendingJournal(path: string): Promise<PendingContent | null> {
  try {
    const info = await lstat(path);
    if (!info.isFile()) throw new Error('it is no regular file');
    if (info.size > JOURNAL_LIMIT_BYTES) throw new Error(`it has more than ${JOURNAL_LIMIT_BYTES} bytes`);
    const [first, ...rest] = (await readJournal(path)).entries;
    return { path, header: headerSchema.parse(first), lines: rest.map((line) => lineSchema.parse(line)) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw brokenJournal(path, error);
  }
}

/** The refusal of what cannot be read as a journal. */
export function brokenJournal(path: string, cause: unknown): RecallMatrixError {
  const why = cause instanceof z.ZodError ? describe(cause) : messageOf(cause);
  return bankRefused('BANK_JOURNAL_BROKEN', `${path} cannot be read as a pending recording: ${why}`, {
    remedy: `look into the file; recall-matrix bank abandon ${shellWord(path)} --reason "..." moves it out of the way`,
    cause,
  });
}

/** The process that records, or that continues the recording: the last one that said so. */
export function recorderOf(content: PendingContent): ProcessMark {
  const end = endOf(content);
  return end?.kind === 'continued' ? end.process : content.header.process;
}

/** The last line that ended the recording, whatever way, or handed it on; null where none did. */
export function endOf(content: PendingContent): PendingLine | null {
  const last = content.lines.at(-1);
  return last !== undefined && ['sealed', 'continued', 'interrupted', 'failed', 'abandoned'].includes(last.kind)
    ? last
    : null;
}

function describe(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue === undefined
    ? 'its form is wrong'
    : `${issue.path.map(String).join('.') || 'a line'}: ${issue.message}`;
}
