import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { canonicalJson, type JsonValue } from '../core/canonical-json.js';
import { digestBytes } from '../core/digest.js';
import { writeReplacing } from '../core/durable-files.js';
import { type Journal, openJournal } from '../core/journal.js';
import type { ContinuedJournal } from './bank.js';
import { FAILED_FOLDER } from './bank-names.js';
import { type EarlierCalls, keptOf } from './earlier-calls.js';
import type { PendingHeader, PendingLine } from './pending-journal.js';
import { keepInFailed } from './unfinished-recordings.js';

/**
 * The journal of a continuation (FB-9). Until it has something of its own to say, it is the interrupted one, claimed and otherwise as
 * it was: what ends the continuation before then ends that one. At the first line of its own, the interrupted journal gets its place in
 * `failed/`, and a new one that cites it and holds its completions takes its name, in one step: whatever the crash, one of them is there.
 */
export class AdoptingJournal implements Journal {
  #current: Journal;
  #isAdopted = false;

  /**
   * @param claimed the interrupted journal, opened for appending, its last line our claim.
   * @param cited the bank's citation of it.
   */
  private constructor(
    claimed: Journal,
    private readonly parts: AdoptingParts,
    readonly cited: ContinuedJournal,
  ) {
    this.#current = claimed;
  }

  static async open(claimed: Journal, parts: AdoptingParts): Promise<AdoptingJournal> {
    const journal = digestBytes(await readFile(claimed.path));
    return new AdoptingJournal(claimed, parts, { journal, completions: parts.earlier.calls.length });
  }

  get path(): string {
    return this.#current.path;
  }

  async append(entry: JsonValue): Promise<void> {
    const { kind } = entry as unknown as PendingLine;
    if (!this.#isAdopted && kind !== 'interrupted' && kind !== 'failed') await this.#adopt();
    await this.#current.append(entry);
  }

  close(): Promise<void> {
    return this.#current.close();
  }

  async #adopt(): Promise<void> {
    const { folder, header, earlier, onAdopted } = this.parts;
    const { path } = this.#current;
    await this.#current.close();
    const kept = await keepInFailed(folder, path);
    const continues = {
      file: join(FAILED_FOLDER, basename(kept)),
      ...this.cited,
      attempts: earlier.attempts_of_next,
    };
    const lines = [{ ...header, continues }, ...earlier.calls.map(takenOverLine)];
    await writeReplacing(path, lines.map((line) => `${canonicalJson(line)}\n`).join(''));
    this.#current = await openJournal(path, 'append');
    this.#isAdopted = true;
    await onAdopted();
  }
}

/** What the new journal begins with. */
interface AdoptingParts {
  readonly folder: string;
  readonly header: PendingHeader;
  readonly earlier: Pick<EarlierCalls, 'calls' | 'attempts_of_next'>;
  readonly onAdopted: () => Promise<void>;
}

function takenOverLine(taken: EarlierCalls['calls'][number], index: number): PendingLine {
  const { request, resolved, attempts } = taken;
  return { kind: 'taken-over', call: index + 1, attempt: attempts, request, resolved, completion: keptOf(taken) };
}
