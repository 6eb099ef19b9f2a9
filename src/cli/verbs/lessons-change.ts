import { resolve } from 'node:path';
import { Command } from 'commander';
import type { LessonChangeDocument } from '../../lessons/documents.js';
import { LEFT_OPEN_WORDS, leftOpen } from '../../lessons/left-open.js';
import type { HumanState } from '../../lessons/lesson-state.js';
import { type CliIo, print, printJson, say } from '../io.js';
import { holdExistingLog, holdLog, type LogFlags, readInstant, withLog } from './lessons-log.js';

/** `lessons evaluate`: records the present, and expires what it finds to have outlived its failure (LE-3). */
export function lessonsEvaluateVerb(io: CliIo): Command {
  const command = new Command('evaluate')
    .description('Record the present as an event, and expire the lessons whose evidence says so by then.')
    .option('--at <instant>', 'the present (default: now, which is recorded)', readInstant)
    .addHelpText(
      'after',
      '\nExamples:\n  $ recall-matrix lessons evaluate\n  $ recall-matrix lessons evaluate --at 2026-03-09T00:00:00Z --json',
    );
  return withLog(command).action(async (flags: LogFlags & { readonly at?: string }) => {
    const { recordEvaluation } = await import('../../lessons/change-lesson.js');
    const now = io.clock.now();
    const { at = now } = flags;
    if (at > now)
      say(io, `${at} has not come yet: the log keeps it, and states follow from it, whenever they are asked for`);
    await showChange(io, flags, await holdExistingLog(io, flags, (log) => recordEvaluation(log, at)));
  });
}

/** `lessons import`: events of other logs, and guard evidence, which no run gives. */
export function lessonsImportVerb(io: CliIo): Command {
  const command = new Command('import')
    .description(
      'Add events from files of lesson-event@1 lines: another log, imported states, guard evidence. Each event once; none where a line is no event.',
    )
    .argument('<files...>', 'the files')
    .addHelpText('after', '\nExample:\n  $ recall-matrix lessons import other/lessons.jsonl');
  return withLog(command).action(async (files: readonly string[], flags: LogFlags) => {
    const { readText } = await import('../../core/text-file.js');
    const { LOG_LIMIT_BYTES } = await import('../../lessons/log.js');
    const { invalidInput, messageOf } = await import('../../core/errors.js');
    const { importEvents } = await import('../../lessons/change-lesson.js');
    const { readLessonEvents } = await import('../../lessons/read-events.js');
    const { showImport } = await import('../../report/tables/lessons-table.js');
    const read = [];
    for (const file of files) {
      const path = resolve(io.workingFolder, file);
      try {
        read.push({ name: path, text: await readText(path, LOG_LIMIT_BYTES) });
      } catch (cause) {
        throw invalidInput('LESSON_EVENTS_UNREADABLE', `cannot read ${path}: ${messageOf(cause)}`, {
          remedy: 'name files of lesson-event@1 lines',
          cause,
        });
      }
    }
    const events = readLessonEvents(read);
    const imported = await holdLog(io, flags, (log) => importEvents(log, events));
    if (flags.json) printJson(io, imported);
    else print(io, showImport(imported));
  });
}

/** `lessons enforce`: a person makes a verified lesson binding. */
export function lessonsEnforceVerb(io: CliIo): Command {
  return decisionVerb(io, new Command('enforce'), 'enforced').description('Enforce a verified lesson, by name.');
}

/** `lessons compile`: a person replaces a lesson by an executable guard, which is authoritative then (LE-4). */
export function lessonsCompileVerb(io: CliIo): Command {
  return decisionVerb(io, new Command('compile'), 'compiled')
    .description('Compile a verified or enforced lesson into a guard: it is left out of prompts from then on.')
    .requiredOption('--guard <digest>', 'sha256: of the guard that is executed in its place');
}

/** What the paper leaves open, refused by the word that it is asked for in. */
export function leftOpenVerbs(): Command[] {
  return LEFT_OPEN_WORDS.map((word) =>
    new Command(word)
      .description('(left open by the paper: refused)')
      .argument('[arguments...]')
      .allowUnknownOption()
      .action(() => {
        throw leftOpen(word);
      }),
  );
}

interface DecisionFlags extends LogFlags {
  readonly actor: string;
  readonly reason?: string;
  readonly guard?: string;
}

function decisionVerb(io: CliIo, command: Command, to: HumanState): Command {
  command
    .argument('<id>', "the lesson's id, or its first digits")
    .requiredOption('--actor <name>', 'who decides')
    .option('--reason <code>', 'why: lower-case words joined by hyphens')
    .addHelpText(
      'after',
      `\nExample:\n  $ recall-matrix lessons ${command.name()} 3f2a91c0d4e5 --actor Ann --reason reviewed${to === 'compiled' ? ' --guard sha256:...' : ''}`,
    );
  return withLog(command).action(async (id: string, { actor, reason, guard, ...flags }: DecisionFlags) => {
    const { recordDecision } = await import('../../lessons/change-lesson.js');
    const decision = { id, to, actor, reason_code: reason ?? null, guard: guard ?? null };
    const at = io.clock.now();
    await showChange(io, flags, await holdExistingLog(io, flags, (log) => recordDecision(log, decision, at)));
  });
}

async function showChange(io: CliIo, flags: LogFlags, change: LessonChangeDocument): Promise<void> {
  const { showLessonChange } = await import('../../report/tables/lessons-table.js');
  if (flags.json) printJson(io, change);
  else print(io, showLessonChange(change));
}
