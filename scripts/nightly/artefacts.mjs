// The folder that a nightly job keeps between nights: run folders, a folder a night, and pointers to runs.
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, join } from 'node:path';

/** A run's id, as it may stand in a pointer: a name below `runs/`, never a path. */
const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;
const NIGHT = 'night.json';

export class Artefacts {
  /** @param {string} folder made where it is missing. */
  constructor(folder) {
    this.folder = folder;
    this.runs = join(folder, 'runs');
    this.nights = join(folder, 'nights');
    for (const path of [this.runs, this.nights]) mkdirSync(path, { recursive: true });
  }

  /**
   * The run that a pointer names.
   *
   * @param {'last-good' | 'anchor'} name
   * @returns {string | null} null where there is no such pointer.
   */
  pointer(name) {
    const run = this.#named(name);
    if (run === null) return null;
    if (!RUN_ID.test(run) || !existsSync(join(this.runs, run, 'run.json'))) {
      throw new Refused(
        `${join(this.folder, name)} names no run in ${this.runs}`,
        name === 'last-good'
          ? 'restore that run folder, or begin anew: add --begin-anew'
          : 'restore that run folder, or remove the pointer',
      );
    }
    return run;
  }

  /** What a pointer says, whether there is such a run or not; null without one. */
  #named(name) {
    const path = join(this.folder, name);
    return existsSync(path) ? readFileSync(path, 'utf8').trim() : null;
  }

  /** Moves the pointer to the last good run: whole or not at all. @param {string} run */
  moveLastGood(run) {
    if (!RUN_ID.test(run)) throw new Refused(`${run} is no run's id`, 'see what `run` printed');
    writeWhole(join(this.folder, 'last-good'), `${run}\n`);
  }

  /** A folder for one night's files. @param {string} at when it began, ISO 8601. */
  newNight(at) {
    const name = at.replaceAll(':', '-').replace(/\.\d+Z$/, 'Z');
    for (let n = 1; ; n += 1) {
      const path = join(this.nights, n === 1 ? name : `${name}-${n}`);
      if (existsSync(path)) continue;
      mkdirSync(path);
      return path;
    }
  }

  /** Says what a night came to. @param {string} folder @param {object} night */
  writeNight(folder, night) {
    writeWhole(join(folder, NIGHT), `${JSON.stringify(night, null, 2)}\n`);
  }

  /** What became of the nights that ended, in their order. @returns {{path: string, run: string | null, outcome: string}[]} */
  pastNights() {
    return readdirSync(this.nights)
      .map((name) => join(this.nights, name))
      .filter((path) => existsSync(join(path, NIGHT)))
      .map((path) => ({ ...JSON.parse(readFileSync(join(path, NIGHT), 'utf8')), path }))
      .sort((one, other) => (one.at === other.at ? byLength(one.path, other.path) : one.at < other.at ? -1 : 1));
  }

  /** Removes all but the newest nights, with their runs; never a run that a pointer names. @param {number} keep */
  prune(keep) {
    const nights = this.pastNights();
    const [old, kept] = [nights.slice(0, -keep), nights.slice(-keep)];
    const needed = new Set([this.#named('last-good'), this.#named('anchor'), ...kept.map(({ run }) => run)]);
    for (const { path, run } of old) {
      if (run !== null && RUN_ID.test(run) && !needed.has(run))
        rmSync(join(this.runs, run), { recursive: true, force: true });
      rmSync(path, { recursive: true, force: true });
    }
  }
}

/** What a person must mend before the next night. */
export class Refused extends Error {
  /** @param {string} message @param {string} remedy */
  constructor(message, remedy) {
    super(message);
    this.remedy = remedy;
  }
}

/** Aside, synced, renamed: a crash leaves the old file or the new one. */
function writeWhole(path, text) {
  const aside = `${path}.tmp`;
  const file = openSync(aside, 'w');
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(aside, path);
}

/** Nights of one second, in the order of their making: `…Z`, `…Z-2`, …, `…Z-10`. */
function byLength(one, other) {
  const [a, b] = [basename(one), basename(other)];
  return a.length - b.length || (a < b ? -1 : 1);
}
