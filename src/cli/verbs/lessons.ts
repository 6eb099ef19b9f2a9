import { Command } from 'commander';
import type { CliIo } from '../io.js';
import {
  leftOpenVerbs,
  lessonsCompileVerb,
  lessonsEnforceVerb,
  lessonsEvaluateVerb,
  lessonsImportVerb,
} from './lessons-change.js';
import { lessonsHarvestVerb } from './lessons-harvest.js';
import { lessonsListVerb, lessonsReplayVerb, lessonsShowVerb } from './lessons-read.js';
import { lessonsBootstrapVerb, lessonsVerifyVerb } from './lessons-verify.js';

/** `lessons`: what is learnt from failures, and how far its evidence has brought it (LE-1 to LE-7). */
export function lessonsVerb(io: CliIo): Command {
  const command = new Command('lessons').description(
    'Lessons from failures: harvest runs, see what their evidence has led to, and verify the evaluator.',
  );
  for (const verb of [
    lessonsHarvestVerb,
    lessonsListVerb,
    lessonsShowVerb,
    lessonsEvaluateVerb,
    lessonsReplayVerb,
    lessonsImportVerb,
    lessonsEnforceVerb,
    lessonsCompileVerb,
    lessonsVerifyVerb,
    lessonsBootstrapVerb,
  ])
    command.addCommand(verb(io));
  for (const refused of leftOpenVerbs()) command.addCommand(refused, { hidden: true });
  return command;
}
