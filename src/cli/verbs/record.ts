import { resolve } from 'node:path';
import { Command } from 'commander';
import type { CliIo } from '../io.js';
import { withDatabase, withLedger, withMatrix, withRecorderWait } from '../matrix-options.js';
import { type SessionFlags, sessionAction } from '../session-action.js';

/** `record`: the banks of a matrix, and nothing else. */
export function recordVerb(io: CliIo): Command {
  const command = new Command('record')
    .description("Record the banks that a matrix's fixtures lack, out of a budget of its own. Reads no question.")
    .option(
      '--out <folder>',
      "where the recording's ledger is written (default: the matrix's `output.folder`, or ./runs)",
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ recall-matrix record matrices/quickstart.yaml\n  $ recall-matrix record my-matrix.yaml --bank-directory ./banks',
    );
  return withLedger(withRecorderWait(withDatabase(withMatrix(command), io))).action(
    async (matrix: string, flags: SessionFlags) => {
      const { recordMatrix } = await import('../../experiment/formation/record.js');
      const { showRecording } = await import('../../report/tables/recording-table.js');
      const matrixPath = resolve(io.workingFolder, matrix);
      await sessionAction(io, flags, (options) => recordMatrix({ ...options, matrixPath }), showRecording, {
        resumes: false,
      });
    },
  );
}
