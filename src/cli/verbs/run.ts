import { resolve } from 'node:path';
import { Command } from 'commander';
import { type CliIo, print, printJson, say } from '../io.js';
import { type MatrixFlags, overridesOf, withDatabase, withMatrix } from '../matrix-options.js';
import { showProgress } from '../progress.js';

interface RunFlags extends MatrixFlags {
  readonly out?: string;
  readonly databaseUrl?: string;
}

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
  return withDatabase(withMatrix(command)).action(async (matrix: string, flags: RunFlags) => {
    const { runMatrix } = await import('../../experiment/run.js');
    const display = await showProgress(io);
    try {
      const { result, kinds } = await runMatrix({
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
      const { showProblems, showRun } = await import('../../report/run-table.js');
      if (flags.json) printJson(io, result);
      else print(io, showRun(result));
      for (const line of showProblems(result)) say(io, line);
    } finally {
      display.close();
    }
  });
}
