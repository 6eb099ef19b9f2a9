import { Command } from 'commander';
import type { CliIo } from '../io.js';
import { withDatabase, withMatrix, withRecorderWait } from '../matrix-options.js';
import { type SessionFlags, sessionAction } from '../session-action.js';

/** `run`: banks found or recorded, every arm formed, proved, asked and scored. */
export function runVerb(io: CliIo): Command {
  const command = new Command('run')
    .description('Run a matrix: replay or record its banks, check parity, ask every arm, write observations and costs.')
    .option('--out <folder>', "where run folders are written (default: the matrix's `output.folder`, or ./runs)")
    .addHelpText(
      'after',
      `
Examples:
  $ recall-matrix run matrices/quickstart.yaml
  $ recall-matrix run matrices/locomo.yaml --fixtures '/data/locomo/*' --bank-directory /data/banks --out /data/runs
  $ recall-matrix run my-matrix.yaml --json > result.json`,
    );
  return withRecorderWait(withDatabase(withMatrix(command))).action(async (matrix: string, flags: SessionFlags) => {
    const { runMatrix } = await import('../../experiment/run.js');
    const { showRun } = await import('../../report/run-table.js');
    await sessionAction(io, matrix, flags, runMatrix, showRun);
  });
}
