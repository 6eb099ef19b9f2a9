import { Command } from 'commander';
import { toolVersion } from '../core/tool-version.js';
import type { CliIo } from './io.js';
import { bankVerb } from './verbs/bank.js';
import { compareVerb } from './verbs/compare.js';
import { doctorVerb } from './verbs/doctor.js';
import { exportVerb } from './verbs/export.js';
import { importVerb } from './verbs/import.js';
import { ledgerVerb } from './verbs/ledger.js';
import { lessonsVerb } from './verbs/lessons.js';
import { planVerb } from './verbs/plan.js';
import { recordVerb } from './verbs/record.js';
import { reportVerb } from './verbs/report.js';
import { reproduceVerb } from './verbs/reproduce.js';
import { rescoreVerb } from './verbs/rescore.js';
import { runVerb } from './verbs/run.js';
import { schemaVerb } from './verbs/schema.js';
import { validateVerb } from './verbs/validate.js';
import { verifyBundleVerb } from './verbs/verify-bundle.js';

/** The whole command line. Verbs load what they need when they run, so that help starts fast. */
export function createProgram(io: CliIo): Command {
  const program = new Command('recall-matrix')
    .description('Fair, reproducible and affordable comparisons of agent-memory retrieval.')
    .version(toolVersion(), '--version', 'print the version')
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })
    .showHelpAfterError('(recall-matrix --help lists the verbs; recall-matrix VERB --help shows examples)')
    .addHelpText(
      'after',
      `
Examples:
  $ recall-matrix run matrices/quickstart.yaml          no key, no server: banks are replayed
  $ recall-matrix plan my-matrix.yaml                   what it would send and cost; sends nothing
  $ recall-matrix record my-matrix.yaml                 record the banks, once
  $ recall-matrix bank list banks

Exit codes: 0 done; 1 internal fault; 2 invalid input; 3 regression or difference; 4 budget refused; 5 bank refused;
6 parity refused; 7 provider failed; 8 database unavailable; 130 interrupted.

In a checkout, recall-matrix stands for: node dist/cli/main.js`,
    );
  for (const verb of [
    validateVerb,
    planVerb,
    runVerb,
    recordVerb,
    bankVerb,
    compareVerb,
    reproduceVerb,
    rescoreVerb,
    reportVerb,
    ledgerVerb,
    importVerb,
    schemaVerb,
    doctorVerb,
    lessonsVerb,
    exportVerb,
    verifyBundleVerb,
  ]) {
    program.addCommand(inheriting(program, verb(io)));
  }
  return program;
}

/**
 * Hands a command's settings down, to verbs below verbs too: commander copies them only when a command is made.
 *
 * @param above the words that name the parent.
 */
function inheriting(parent: Command, command: Command, above = parent.name()): Command {
  const words = `${above} ${command.name()}`;
  command.copyInheritedSettings(parent);
  command.showHelpAfterError(`(${words} --help shows examples)`);
  for (const below of command.commands) inheriting(command, below, words);
  return command;
}
