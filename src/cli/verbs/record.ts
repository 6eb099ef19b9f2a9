import { resolve } from 'node:path';
import { Command } from 'commander';
import { type CliIo, print, printJson, say } from '../io.js';
import { type MatrixFlags, overridesOf, withDatabase, withMatrix } from '../matrix-options.js';
import { showProgress } from '../progress.js';

interface RecordFlags extends MatrixFlags {
  readonly out?: string;
  readonly databaseUrl?: string;
}

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
  return withDatabase(withMatrix(command)).action(async (matrix: string, flags: RecordFlags) => {
    const { recordMatrix } = await import('../../experiment/record.js');
    const display = await showProgress(io);
    try {
      const { result, kinds } = await recordMatrix({
        matrixPath: resolve(io.workingFolder, matrix),
        out: flags.out === undefined ? null : resolve(io.workingFolder, flags.out),
        defaultOut: resolve(io.workingFolder, 'runs'),
        overrides: overridesOf(flags, io),
        databaseUrl: flags.databaseUrl ?? null,
        environment: io.environment,
        clock: io.clock,
        signal: io.signal,
        progress: display.progress,
      });
      display.close();
      io.fail(kinds);
      const { showProblems, showRecording } = await import('../../report/run-table.js');
      if (flags.json) printJson(io, result);
      else print(io, showRecording(result));
      for (const line of showProblems(result)) say(io, line);
    } finally {
      display.close();
    }
  });
}
