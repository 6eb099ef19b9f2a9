import { resolve } from 'node:path';
import { Command } from 'commander';
import { type CliIo, print, printJson } from '../io.js';
import { withDatabase } from '../matrix-options.js';

/** `ledger`: what a run spent and holds, by arm and stage. */
export function ledgerVerb(io: CliIo): Command {
  const command = new Command('ledger')
    .description("Show and verify a run's ledger: limit, spent, held, uncertain, by arm and stage.")
    .argument('[run]', 'a run id under --out, `latest`, or a run folder', 'latest')
    .option('--out <folder>', 'where run folders lie', './runs')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExamples:\n  $ recall-matrix ledger\n  $ recall-matrix ledger latest --json');
  return withDatabase(command, io).action(
    async (run: string, flags: { out: string; json?: boolean; databaseUrl?: string }) => {
      const { findRun } = await import('../../experiment/find-run.js');
      const { readRunLedger } = await import('../../experiment/ledger-home.js');
      const { ledgerDocument, showLedger } = await import('../../report/ledger-table.js');
      const folder = await findRun(resolve(io.workingFolder, flags.out), run);
      const { environment, clock, signal } = io;
      const reach = { environment, clock, signal, databaseUrl: flags.databaseUrl ?? null };
      const report = await readRunLedger(folder, reach);
      if (flags.json) printJson(io, ledgerDocument(report));
      else print(io, showLedger(report));
    },
  );
}
