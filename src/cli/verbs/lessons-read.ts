import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { LESSON_STATES, type LessonState } from '../../lessons/lesson-state.js';
import { type CliIo, print, printJson } from '../io.js';
import { type LogFlags, readInstant, readLog, withLog } from './lessons-log.js';

/** `lessons list`: every lesson and its state. */
export function lessonsListVerb(io: CliIo): Command {
  const command = new Command('list')
    .description('List the lessons and their states. Nothing is written.')
    .addOption(new Option('--state <state>', 'only lessons of one state').choices([...LESSON_STATES]))
    .addHelpText('after', '\nExample:\n  $ recall-matrix lessons list --state verified');
  return withLog(command).action(async (flags: LogFlags & { readonly state?: LessonState }) => {
    const { listLessons } = await import('../../lessons/describe-lessons.js');
    const { showLessonList } = await import('../../report/tables/lessons-table.js');
    const list = listLessons(await readLog(io, flags), flags.state ?? null);
    if (flags.json) printJson(io, list);
    else print(io, showLessonList(list));
  });
}

/** `lessons show`: one lesson, and by which events it came where it is (LE-5). */
export function lessonsShowVerb(io: CliIo): Command {
  const command = new Command('show')
    .description('Show one lesson: its fingerprint, the trials that met it, and each transition with its causes.')
    .argument('<id>', "the lesson's id, or its first digits")
    .addHelpText('after', '\nExample:\n  $ recall-matrix lessons show 3f2a91c0d4e5');
  return withLog(command).action(async (id: string, flags: LogFlags) => {
    const { describeLesson } = await import('../../lessons/describe-lessons.js');
    const { showLesson } = await import('../../report/tables/lessons-table.js');
    const description = describeLesson(await readLog(io, flags), id);
    if (flags.json) printJson(io, description);
    else print(io, showLesson(description));
  });
}

/** `lessons replay`: every transition again, from the events alone (LE-1, LE-5). */
export function lessonsReplayVerb(io: CliIo): Command {
  const command = new Command('replay')
    .description(
      'Replay the log: every transition from the events alone, the same bytes everywhere. Nothing is written.',
    )
    .option('--at <instant>', 'the states at a time, that instant included (default: after all events)', readInstant)
    .option('--profile <file>', "other thresholds, to see what they would make of the log (default: the paper's)")
    .addHelpText(
      'after',
      '\nExamples:\n  $ recall-matrix lessons replay --json\n  $ recall-matrix lessons replay --at 2026-03-01T20:00:00Z',
    );
  return withLog(command).action(async (flags: LogFlags & { readonly at?: string; readonly profile?: string }) => {
    const { replayLog } = await import('../../lessons/describe-lessons.js');
    const { loadThresholdProfile } = await import('../../lessons/load-profile.js');
    const { showReplay } = await import('../../report/tables/lessons-table.js');
    const { at = null, profile: file } = flags;
    const profile = file === undefined ? undefined : await loadThresholdProfile(resolve(io.workingFolder, file));
    const replay = replayLog(await readLog(io, flags), at, profile);
    if (flags.json) printJson(io, replay);
    else print(io, showReplay(replay));
  });
}
