import { resolve } from 'node:path';
import { Command } from 'commander';
import { type CliIo, print, printJson } from '../io.js';
import { withDatabase } from '../matrix-options.js';

interface ExportFlags {
  readonly bundle: string;
  readonly out: string;
  readonly redactHistory?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
  readonly databaseUrl?: string;
}

/** `export`: one file of a run for another person (RP-7). Sends nothing. */
export function exportVerb(io: CliIo): Command {
  const command = new Command('export')
    .description(
      'Make one file of a run for another person: matrix, fixtures, banks, states, exact requests, retrieved ids, answers, scores and ledger, each with its digest. It is checked before it is there; a secret in it refuses it.',
    )
    .argument('<run>', 'a run id under --out, `latest`, or a run folder')
    .requiredOption('--bundle <file>', 'where to write it: a file, or a folder in which it is named after the run')
    .option(
      '--redact-history',
      'leave out every text of the history and what quotes it, for licences that forbid passing it on (docs/bundles.md)',
    )
    .option('--force', 'replace a file of that name')
    .option('--out <folder>', 'where run folders lie', './runs')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Examples:
  $ recall-matrix export latest --bundle quickstart.tar.gz
  $ recall-matrix export runs/my-run --bundle bundles --redact-history
  $ recall-matrix verify-bundle quickstart.tar.gz`,
    );
  return withDatabase(command, io).action(async (run: string, flags: ExportFlags) => {
    const { findRun } = await import('../../experiment/find-run.js');
    const { exportBundle } = await import('../../experiment/bundle/export-bundle.js');
    const { showExport } = await import('../../report/tables/bundle-table.js');
    const result = await exportBundle(await findRun(resolve(io.workingFolder, flags.out), run, 'run@1'), {
      target: resolve(io.workingFolder, flags.bundle),
      force: flags.force === true,
      redactHistory: flags.redactHistory === true,
      environment: io.environment,
      databaseUrl: flags.databaseUrl ?? null,
    });
    if (flags.json) printJson(io, result);
    else print(io, showExport(result));
  });
}
