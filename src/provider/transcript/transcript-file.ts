import { z } from 'zod';
import { canonicalJson } from '../../core/canonical-json.js';
import { readBounded } from '../../core/durable-files.js';
import { InvalidInputErrors, invalidInput, type RecallMatrixError } from '../../core/errors.js';
import { scanJsonText } from '../json-text.js';

/** The largest transcript file that is read: 64 MiB. */
const MAX_TRANSCRIPT_BYTES = 67_108_864;

/** The formation completion of one batch, made elsewhere. */
export interface TranscriptEntry {
  readonly batch: string;
  readonly model: string;
  /** The completion's text. */
  readonly output: string;
  /** Where it comes from, for people. */
  readonly source: string;
}

const lineSchema = z.strictObject({
  batch: z.string().min(1),
  model: z.string().min(1).max(256),
  output: z.union([z.string(), z.record(z.string(), z.unknown())]),
  source: z.string(),
});

/**
 * Reads a `formation.transcript.jsonl`: `{batch, model, output, source}` a line, `output` a completion as an object or as its exact
 * text. An object's text is its canonical JSON.
 *
 * @returns the entries by batch, in the file's order.
 * @throws `invalid-input`: `TRANSCRIPT_MISSING`, `TRANSCRIPT_TOO_LARGE`, `TRANSCRIPT_NOT_UTF8`, or every bad line with its number
 * (`TRANSCRIPT_LINE_INVALID`, `TRANSCRIPT_BATCH_TWICE`).
 */
export async function readTranscript(
  path: string,
  limitBytes = MAX_TRANSCRIPT_BYTES,
): Promise<ReadonlyMap<string, TranscriptEntry>> {
  const location = { file: path };
  const bytes = await readBounded(path, limitBytes, (size) =>
    invalidInput('TRANSCRIPT_TOO_LARGE', `${path} has ${size} bytes, more than ${limitBytes}`, {
      location,
      remedy: 'split the history into several fixtures, each with its own transcript',
    }),
  );
  if (bytes === null) throw transcriptMissing(path);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw invalidInput('TRANSCRIPT_NOT_UTF8', `${path} is not UTF-8`, {
      location,
      remedy: 'write the file in UTF-8',
      cause,
    });
  }
  return entriesOf(path, text);
}

/** What a missing transcript is. */
export function transcriptMissing(path: string): RecallMatrixError {
  return invalidInput('TRANSCRIPT_MISSING', `there is no formation transcript at ${path}`, {
    location: { file: path },
    remedy:
      'import the fixture with its transcript (import locomo --observations), or choose another formation provider',
  });
}

function entriesOf(path: string, text: string): Map<string, TranscriptEntry> {
  const entries = new Map<string, TranscriptEntry>();
  const lineOfBatch = new Map<string, number>();
  const faults: RecallMatrixError[] = [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const [index, line] of lines.entries()) {
    const number = index + 1;
    const refuse = (code: string, problem: string, remedy: string): void => {
      const location = { file: path, line: number };
      faults.push(invalidInput(code, `line ${number}: ${problem}`, { location, remedy }));
    };
    const entry = entryOf(line);
    if (typeof entry === 'string') {
      refuse('TRANSCRIPT_LINE_INVALID', entry, 'write {batch, model, output, source} a line: docs/formats/fixture.md');
      continue;
    }
    const earlier = lineOfBatch.get(entry.batch);
    if (earlier !== undefined)
      refuse('TRANSCRIPT_BATCH_TWICE', `the batch ${entry.batch} is on line ${earlier} already`, 'keep one of the two');
    else lineOfBatch.set(entry.batch, number);
    entries.set(entry.batch, entry);
  }
  if (faults.length > 0) throw new InvalidInputErrors(faults);
  return entries;
}

/** @returns the entry, or what is wrong with the line. */
function entryOf(line: string): TranscriptEntry | string {
  const scan = scanJsonText(line);
  if (scan.problem !== null) return scan.problem;
  const parsed = lineSchema.safeParse(scan.value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return `${issue?.path.join('.') || 'the line'}: ${issue?.message ?? 'invalid'}`;
  }
  const { output } = parsed.data;
  return { ...parsed.data, output: typeof output === 'string' ? output : canonicalJson(output) };
}
