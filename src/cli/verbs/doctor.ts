import { Command, InvalidArgumentError } from 'commander';
import {
  ADMISSION_MIGRATIONS,
  type AdmissionMigration,
} from '../../memory/query-preparation/admission/admission-migrations.js';
import { type CliIo, print, printJson } from '../io.js';
import { withDatabase } from '../matrix-options.js';

interface DoctorFlags {
  readonly clean?: boolean;
  readonly embeddingLedger?: AdmissionMigration | 'none';
  readonly json?: boolean;
  readonly databaseUrl?: string;
}

/** `doctor`: whether this machine can run a matrix, and with what. */
export function doctorVerb(io: CliIo): Command {
  const command = new Command('doctor')
    .description('Check this machine: Node, the build, Postgres, the embedding model. Sends nothing.')
    .option('--clean', 'first remove from the database server what killed runs left, and templates')
    .option(
      '--embedding-ledger <migration>',
      `first take the ledger of embeddings down to ${ADMISSION_MIGRATIONS[0]}, or to none, for an earlier version of this tool`,
      readMigration,
    )
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExamples:\n  $ recall-matrix doctor\n  $ recall-matrix doctor --clean\n  $ recall-matrix doctor --database-url postgres://me@localhost/postgres',
    );
  return withDatabase(command, io).action(async (flags: DoctorFlags) => {
    const { examine } = await import('../../experiment/examine.js');
    const { checks, kinds, cleaned } = await examine({
      databaseUrl: flags.databaseUrl ?? null,
      clean: flags.clean ?? false,
      embeddingLedger: flags.embeddingLedger ?? 'kept',
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

function readMigration(text: string): AdmissionMigration | 'none' {
  const known = (['none', ...ADMISSION_MIGRATIONS] as const).find((name) => name === text);
  if (known !== undefined) return known;
  throw new InvalidArgumentError(`It is one of none, ${ADMISSION_MIGRATIONS.join(', ')}.`);
}
