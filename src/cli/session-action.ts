import { resolve } from 'node:path';
import type { ErrorKind } from '../core/errors.js';
import type { RunResult } from '../experiment/experiment.js';
import { DEFAULT_RECORDER_WAIT_MS } from '../experiment/formation/await-recorder.js';
import type { SessionOptions } from '../experiment/open-session.js';
import { resumeCommand } from '../experiment/resuming/resume-command.js';
import { type CliIo, print, printJson, say } from './io.js';
import { type MatrixFlags, overridesOf } from './matrix-options.js';
import { showProgress } from './progress.js';

/** Flags of verbs that open a session: a server, a run folder, a ledger. */
export interface SessionFlags extends MatrixFlags {
  readonly out?: string;
  readonly databaseUrl?: string;
  /** Seconds. */
  readonly wait?: number;
  readonly lessons?: string;
}

/**
 * Does a verb's work with progress shown, then prints its result on standard output and its problems beside it (CL-1, CL-4).
 *
 * @param then whether `run --resume` continues what is stopped.
 */
export async function sessionAction<Result extends Pick<RunResult, 'problems'> & { readonly resume?: string | null }>(
  io: CliIo,
  flags: SessionFlags,
  work: (options: SessionOptions) => Promise<{ readonly result: Result; readonly kinds: readonly ErrorKind[] }>,
  show: (result: Result) => string | Promise<string>,
  then: { readonly resumes: boolean },
): Promise<void> {
  const { lessonBook } = await import('../lessons/injection/lesson-book.js');
  const display = await showProgress(io);
  try {
    const { result, kinds } = await work({
      out: flags.out === undefined ? null : resolve(io.workingFolder, flags.out),
      defaultOut: resolve(io.workingFolder, 'runs'),
      overrides: overridesOf(flags, io),
      databaseUrl: flags.databaseUrl ?? null,
      recorder_wait_ms: flags.wait === undefined ? DEFAULT_RECORDER_WAIT_MS : flags.wait * 1000,
      lessons: lessonBook(resolve(io.workingFolder, flags.lessons ?? 'lessons'), flags.lessons !== undefined),
      environment: io.environment,
      clock: io.clock,
      signal: io.signal,
      progress: display.progress,
      onFolder: (path) => io.continueWith(then.resumes ? resumeCommand(path) : null),
    });
    display.close();
    io.fail(kinds);
    io.continueWith(result.resume ?? null);
    const { showProblems } = await import('../report/tables/problem-lines.js');
    if (flags.json) printJson(io, result);
    else print(io, await show(result));
    for (const line of showProblems(result)) say(io, line);
  } finally {
    display.close();
  }
}
