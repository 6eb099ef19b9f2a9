import { Command } from 'commander';
import { type CliIo, print, printJson } from '../io.js';
import { withDatabase } from '../matrix-options.js';

/** `doctor`: whether this machine can run a matrix, and with what. */
export function doctorVerb(io: CliIo): Command {
  const command = new Command('doctor')
    .description('Check this machine: Node, the build, Postgres, the embedding model. Sends nothing.')
    .option('--clean', 'first remove from the database server what killed runs left, and templates')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExamples:\n  $ recall-matrix doctor\n  $ recall-matrix doctor --clean\n  $ recall-matrix doctor --database-url postgres://me@localhost/postgres',
    );
  return withDatabase(command, io).action(async (flags: { clean?: boolean; json?: boolean; databaseUrl?: string }) => {
    const { examine } = await import('../../experiment/examine.js');
    const { checks, kinds, cleaned } = await examine({
      databaseUrl: flags.databaseUrl ?? null,
      clean: flags.clean ?? false,
      clock: io.clock,
      signal: io.signal,
    });
    io.fail(kinds);
    if (flags.json) printJson(io, { format: 'doctor@1', checks, cleaned });
    else {
      for (const { object, name } of cleaned?.removed ?? []) print(io, `removed the ${object} ${name}`);
      for (const { name, why } of cleaned?.kept ?? []) print(io, `left alone ${name}: ${why}`);
      for (const check of checks)
        print(
          io,
          `${check.ok ? 'ok  ' : 'FAIL'} ${check.name}: ${check.found}${check.remedy === null ? '' : `\n     remedy: ${check.remedy}`}`,
        );
    }
  });
}
