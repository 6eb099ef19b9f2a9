import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { invalidInput } from '../core/errors.js';
import type { MatrixOverrides } from '../matrix/load-matrix.js';
import type { CliIo } from './io.js';

/** Options that every verb with a matrix has. */
export interface MatrixFlags {
  readonly fixtures?: string[];
  readonly bankDirectory?: string;
  readonly sample?: number;
  readonly seed?: string;
  readonly ledgerUrlEnv?: string;
  readonly aa?: string;
  readonly json?: boolean;
}

/**
 * Adds the matrix argument and the flags that replace parts of it.
 *
 * @param argument `[matrix]` where a verb can do without.
 */
export function withMatrix(command: Command, argument = '<matrix>'): Command {
  return withMatrixParts(command.argument(argument, 'the matrix file'));
}

/** Adds the flags that replace parts of a matrix, for verbs that name it otherwise. */
export function withMatrixParts(command: Command): Command {
  return command
    .option('--fixtures <path...>', "fixture folders or globs instead of the matrix's, relative to the working folder")
    .option('--bank-directory <folder>', "bank folder instead of the matrix's")
    .option('--json', 'print one JSON document');
}

/** Adds the flags that draw questions, for verbs that ask them. */
export function withSample(command: Command): Command {
  return command
    .option(
      '--sample <n>',
      'draw so many of the questions that the matrix loads, stratified by fixture and category',
      (text) => {
        if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
        throw new InvalidArgumentError('It is a whole number from 1 on.');
      },
    )
    .option('--seed <seed>', 'the seed of the sample (default: 1)');
}

/** Adds the flag that runs an arm twice, for verbs that ask arms or say what that takes. */
export function withAa(command: Command): Command {
  return command.option('--aa <arm>', 'run this arm twice, the second time as ARM-aa: what the two differ by is noise');
}

/** Names an existing server, where the command line does not. */
const DATABASE_VARIABLE = 'RECALL_MATRIX_DATABASE_URL';

/** Adds the flags of verbs that use a database. */
export function withDatabase(command: Command, { environment }: CliIo): Command {
  const url = environment[DATABASE_VARIABLE] || undefined;
  return command.addOption(
    new Option(
      '--database-url <url>',
      `an existing Postgres (15 to 18) instead of a local one (env: ${DATABASE_VARIABLE})`,
      // The value may hold a password: help says where it comes from, not what it is.
    ).default(url, url === undefined ? undefined : 'from the variable'),
  );
}

/** Adds the flag of verbs that open a ledger. */
export function withLedger(command: Command): Command {
  return command.option(
    '--ledger-url-env <name>',
    "keep the ledger in the Postgres database whose URL this environment variable holds, instead of where the matrix's `ledger` says",
  );
}

/** Adds the flag of verbs that may meet another process's recording. */
export function withRecorderWait(command: Command): Command {
  return command.addOption(
    new Option(
      '--wait <seconds>',
      'how long to wait for another process that records a bank which is needed here (0: not at all; default: 600)',
    ).argParser((text) => {
      if (/^\d{1,6}$/.test(text)) return Number(text);
      throw new InvalidArgumentError('It is a whole number of seconds.');
    }),
  );
}

/**
 * What the flags replace.
 *
 * @throws `USAGE` where a seed is given and nothing is drawn.
 */
export function overridesOf(flags: MatrixFlags, io: CliIo): MatrixOverrides {
  if (flags.seed !== undefined && flags.sample === undefined)
    throw invalidInput('USAGE', '--seed is the seed of --sample, which is not given', {
      remedy: 'give --sample N too, or `load.seed` in the matrix; --help shows examples',
    });
  return {
    ...(flags.sample === undefined ? {} : { sample: flags.sample }),
    ...(flags.seed === undefined ? {} : { sampleSeed: flags.seed }),
    ...(flags.fixtures === undefined ? {} : { fixtures: { patterns: flags.fixtures, from: io.workingFolder } }),
    ...(flags.aa === undefined ? {} : { aa: flags.aa }),
    ...(flags.ledgerUrlEnv === undefined ? {} : { ledgerUrlEnv: flags.ledgerUrlEnv }),
    ...(flags.bankDirectory === undefined ? {} : { bankDirectory: resolve(io.workingFolder, flags.bankDirectory) }),
  };
}
