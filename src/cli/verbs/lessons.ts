import { Command } from 'commander';
import type { CliIo } from '../io.js';
import { lessonsBootstrapVerb, lessonsVerifyVerb } from './lessons-verify.js';

/** `lessons`: what is learnt from failures, and how far its evidence has brought it (LE-1 to LE-7). */
export function lessonsVerb(io: CliIo): Command {
  const command = new Command('lessons').description('Lessons from failures: verify their evaluator.');
  for (const verb of [lessonsVerifyVerb, lessonsBootstrapVerb]) command.addCommand(verb(io));
  return command;
}
