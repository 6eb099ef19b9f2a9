import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { type CliIo, print, printJson } from '../io.js';

/** `ledger`: what a run spent and holds, by arm and stage. */
export function ledgerVerb(io: CliIo): Command {
  return new Command('ledger')
    .description("Show and verify a run's ledger: limit, spent, held, uncertain, by arm and stage.")
    .argument('[run]', 'a run id under --out, `latest`, or a run folder', 'latest')
    .option('--out <folder>', 'where run folders lie', './runs')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExamples:\n  $ recall-matrix ledger\n  $ recall-matrix ledger latest --json')
    .action(async (run: string, flags: { out: string; json?: boolean }) => {
      const { findRun } = await import('../../experiment/run-folder.js');
      const { readLedger } = await import('../../ledger/read-ledger.js');
      const { ledgerDocument, showLedger } = await import('../../report/ledger-table.js');
      const folder = await findRun(resolve(io.workingFolder, flags.out), run);
      const report = await readLedger(join(folder, 'ledger.jsonl'));
      if (flags.json) printJson(io, ledgerDocument(report));
      else print(io, showLedger(report));
    });
}
