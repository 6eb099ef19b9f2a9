import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { invalidInput, messageOf } from '../../core/errors.js';
import { verdictSchema } from '../judging/judgement-file.js';
import type { RecordedVerdict } from '../run-record.js';

interface Place {
  readonly start: number;
  readonly length: number;
}

/** The verdicts of a run's judges, read where they lie: of each only its place in the file is held (PF-5). */
export class VerdictReader {
  #places: Promise<ReadonlyMap<string, readonly Place[]>> | null = null;

  /** @param path of `judgements.jsonl`, which need not be there. */
  constructor(private readonly path: string) {}

  /**
   * A judge's verdicts on one exact request, by repeat; none where the folder does not hold them.
   *
   * @throws `RUN_JUDGEMENTS_BROKEN` (exit 2) where a line of the file is no verdict.
   */
  async read(judge: string, request: string): Promise<readonly RecordedVerdict[]> {
    this.#places ??= placesIn(this.path);
    const places = (await this.#places).get(keyOf(judge, request)) ?? [];
    if (places.length === 0) return [];
    const file = await open(this.path);
    try {
      const verdicts: RecordedVerdict[] = [];
      for (const place of places) verdicts.push(await verdictAt(file, place, this.path));
      return verdicts.sort((a, b) => a.repeat - b.repeat);
    } finally {
      await file.close();
    }
  }
}

async function verdictAt(file: FileHandle, { start, length }: Place, path: string): Promise<RecordedVerdict> {
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, start);
  const { repeat, correct, reason } = verdictOf(buffer, path);
  return { repeat, correct, reason };
}

/** A last line that was torn by a crash is none. */
async function placesIn(path: string): Promise<ReadonlyMap<string, readonly Place[]>> {
  const places = new Map<string, Place[]>();
  for await (const { line, start } of linesOf(path)) {
    const { judge, request } = verdictOf(line, path);
    const key = keyOf(judge, request);
    const known = places.get(key);
    if (known === undefined) places.set(key, [{ start, length: line.length }]);
    else known.push({ start, length: line.length });
  }
  return places;
}

/** Whole lines by their first bytes; none where the file is not there. */
async function* linesOf(path: string): AsyncGenerator<{ readonly line: Buffer; readonly start: number }> {
  let rest = Buffer.alloc(0);
  let start = 0;
  try {
    for await (const chunk of createReadStream(path)) {
      rest = Buffer.concat([rest, chunk as Buffer]);
      let from = 0;
      for (let end = rest.indexOf(0x0a); end !== -1; end = rest.indexOf(0x0a, from)) {
        yield { line: rest.subarray(from, end), start: start + from };
        from = end + 1;
      }
      rest = rest.subarray(from);
      start += from;
    }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
  }
}

function verdictOf(line: Buffer, path: string) {
  let value: unknown;
  try {
    value = JSON.parse(line.toString('utf8'));
  } catch (cause) {
    throw broken(path, messageOf(cause));
  }
  const parsed = verdictSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw broken(path, `${issue?.path.join('.') || 'its form'}: ${issue?.message}`);
}

function keyOf(judge: string, request: string): string {
  return `${judge}\0${request}`;
}

function broken(path: string, why: string): Error {
  return invalidInput('RUN_JUDGEMENTS_BROKEN', `${path} holds a line that is no verdict: ${why}`, {
    remedy: 'restore the file from a copy, or remove it: verdicts are then shown by their counts alone',
  });
}
