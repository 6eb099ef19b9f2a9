import { resolve } from 'node:path';
import { Command } from 'commander';
import type { CliIo } from '../io.js';
import { withDatabase, withLedger } from '../matrix-options.js';
import { type SessionFlags, sessionAction } from '../session-action.js';

/** `bank continue`: an interrupted recording, from where it stopped (FB-9). */
export function bankContinueVerb(io: CliIo): Command {
  const command = new Command('continue')
    .description(
      'Continue an interrupted recording, out of a budget of its own: what it completed is taken over, once each request is found to be the same; only what is missing is asked.',
    )
    .argument('<journal>', 'the pending journal; `bank list` names it')
    .requiredOption('--matrix <file>', 'the matrix that it was begun with')
    .option('--fixtures <path...>', "fixture folders or globs instead of the matrix's, relative to the working folder")
    .option('--out <folder>', "where its ledger is written (default: the matrix's `output.folder`, or ./runs)")
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExample:\n  $ recall-matrix bank continue banks/NAME.pending.jsonl --matrix my-matrix.yaml',
    );
  return withLedger(withDatabase(command, io)).action(
    async (journal: string, flags: SessionFlags & { readonly matrix: string }) => {
      const { continueBank } = await import('../../experiment/formation/continue-bank.js');
      const { showRecording } = await import('../../report/tables/recording-table.js');
      const path = resolve(io.workingFolder, journal);
      const matrixPath = resolve(io.workingFolder, flags.matrix);
      await sessionAction(io, flags, (options) => continueBank(path, { ...options, matrixPath }), showRecording, {
        resumes: false,
      });
    },
  );
}
