import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { isCivilTime } from '../../core/civil-time.js';
import type { LessonLog, LogContent } from '../../lessons/log.js';
import { type CliIo, say } from '../io.js';

/** Flags of every verb that reaches a log. */
export interface LogFlags {
  readonly lessons: string;
  readonly json?: boolean;
}

/** Adds them to a verb. */
export function withLog(command: Command): Command {
  return command
    .option('--lessons <folder>', 'where the log of lessons lies', './lessons')
    .option('--json', 'print one JSON document');
}

/** Reads the log, and says beside the result where its end was torn. */
export async function readLog(io: CliIo, flags: LogFlags): Promise<LogContent> {
  const { readLessonLog } = await import('../../lessons/log.js');
  const content = await readLessonLog(resolve(io.workingFolder, flags.lessons));
  tellTorn(io, content, 'left out; whoever writes next cuts it off');
  return content;
}

/** Does something with the log, alone. */
export async function holdLog<T>(io: CliIo, flags: LogFlags, work: (log: LessonLog) => Promise<T>): Promise<T> {
  const { withLessonLog } = await import('../../lessons/log.js');
  return withLessonLog(resolve(io.workingFolder, flags.lessons), io, async (log) => {
    tellTorn(io, log, 'left out, and cut off before the next event');
    return work(log);
  });
}

/** The same for a log that must be there. */
export async function holdExistingLog<T>(io: CliIo, flags: LogFlags, work: (log: LessonLog) => Promise<T>): Promise<T> {
  const { readLessonLog } = await import('../../lessons/log.js');
  await readLessonLog(resolve(io.workingFolder, flags.lessons));
  return holdLog(io, flags, work);
}

/** An instant of the command line, in the one form that events have. */
export function readInstant(text: string): string {
  const form = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/.exec(text);
  // JavaScript alone takes 30 February for a day in March.
  const instant = form !== null && isCivilTime(`${form[1]}T00:00:00`) ? toIso(text) : null;
  // Beyond the years of four digits an instant is longer, and would no longer be ordered as text.
  if (instant === null || !/^\d{4}-/.test(instant))
    throw new InvalidArgumentError('It is an instant, like 2026-03-01T20:00:00Z.');
  return instant;
}

function toIso(text: string): string | null {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

function tellTorn(io: CliIo, { torn_bytes }: Pick<LogContent, 'torn_bytes'>, then: string): void {
  if (torn_bytes > 0) say(io, `the last line of the log is torn: ${torn_bytes} bytes, ${then}`);
}
