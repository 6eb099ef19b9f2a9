import { readFile } from 'node:fs/promises';
import { beliefStateSchema } from '../../bank/state-file.js';
import { type Digest, digestJson } from '../../core/digest.js';
import { invalidInput, messageOf } from '../../core/errors.js';
import type { BeliefState } from '../../parity/parity.js';
import type { RunResult } from '../experiment.js';
import type { RunFolder } from '../run-folder.js';
import type { CellId } from '../run-record.js';

/** Reads the belief states of a run. The last one is kept: the cells of a block, asked one after another, share it. */
export class StateReader {
  #last: { readonly path: string; readonly state: BeliefState | null } | null = null;

  constructor(
    private readonly folder: RunFolder,
    private readonly result: RunResult,
  ) {}

  /**
   * What an arm's rows were read from; null where nothing was formed, or the folder does not hold it.
   *
   * @throws `RUN_STATE_BROKEN` (exit 2) where the file is not the state that the result names.
   */
  async read({ arm, fixture, replicate }: CellId): Promise<BeliefState | null> {
    const formed = this.result.formation.find((one) => one.fixture === fixture && one.replicate === replicate);
    const live = formed?.live_states?.find((one) => one.arm === arm);
    const digest = formed?.live_states == null ? formed?.state : live?.state;
    if (digest == null) return null;
    const path = this.folder.statePath({ fixture, replicate }, live === undefined ? null : arm);
    if (this.#last?.path !== path) this.#last = { path, state: await readState(path, digest) };
    return this.#last.state;
  }
}

async function readState(path: string, digest: Digest): Promise<BeliefState | null> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw broken(path, messageOf(error));
  }
  const parsed = beliefStateSchema.safeParse(value);
  if (!parsed.success) throw broken(path, 'its form is wrong');
  const found = digestJson(parsed.data);
  if (found !== digest) throw broken(path, `it has digest ${found}, and the run names ${digest}`);
  return parsed.data;
}

function broken(path: string, why: string): Error {
  return invalidInput('RUN_STATE_BROKEN', `${path} is not the belief state of its run: ${why}`, {
    remedy: 'restore the file from a copy',
  });
}
