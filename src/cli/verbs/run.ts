import { resolve } from 'node:path';
import { Command } from 'commander';
import { invalidInput } from '../../core/errors.js';
import type { RunResult } from '../../experiment/experiment.js';
import type { SessionOptions } from '../../experiment/open-session.js';
import type { ContinueOptions } from '../../experiment/resuming/continued-run.js';
import type { RunOutcome } from '../../experiment/run.js';
import type { CliIo } from '../io.js';
import { withAa, withDatabase, withLedger, withMatrix, withRecorderWait, withSample } from '../matrix-options.js';
import { type SessionFlags, sessionAction } from '../session-action.js';

interface RunFlags extends SessionFlags {
  readonly resume?: string;
  readonly extend?: string;
  readonly budget?: string;
  readonly retryFailed?: boolean;
  readonly details?: boolean;
}

/** `run`: banks found or recorded, every arm formed, proved, asked and scored; or a run continued (OB-5), or added to (OB-8). */
export function runVerb(io: CliIo): Command {
  const command = new Command('run')
    .description('Run a matrix: replay or record its banks, check parity, ask every arm, write observations and costs.')
    .option('--out <folder>', "where run folders are written (default: the matrix's `output.folder`, or ./runs)")
    .option('--resume <run>', 'continue a run that was stopped: an id, `latest`, or its folder; needs no matrix')
    .option('--extend <run>', 'add the arms, questions or repeats that the matrix has more than a finished run')
    .option('--budget <usd>', 'with --resume or --extend: a higher limit, written into the ledger as an amendment')
    .option(
      '--lessons <folder>',
      'the folder of the log of lessons, for arms that inject them: read once, when the run begins (default: ./lessons)',
    )
    .option('--retry-failed', 'with --resume or --extend: ask again what the provider lost')
    .option('--details', 'show every score, bank, cost, category and cause of a miss too')
    .addHelpText(
      'after',
      `
Examples:
  $ recall-matrix run matrices/quickstart.yaml
  $ recall-matrix run matrices/locomo.yaml --fixtures '/data/locomo/*' --bank-directory /data/banks --out /data/runs
  $ recall-matrix run my-matrix.yaml --json > result.json
  $ recall-matrix run my-matrix.yaml --aa bm25
  $ recall-matrix run --resume latest
  $ recall-matrix run --resume latest --details
  $ recall-matrix run --resume latest --budget 2.50
  $ recall-matrix run --extend latest my-matrix.yaml`,
    );
  return withLedger(withRecorderWait(withDatabase(withAa(withSample(withMatrix(command, '[matrix]'))), io))).action(
    async (matrix: string | undefined, flags: RunFlags) => {
      const matrixPath = matrix === undefined ? null : resolve(io.workingFolder, matrix);
      const work = await workOf(matrixPath, flags);
      const { showRun } = await import('../../report/tables/run-table.js');
      const { runView } = await import('../run-view.js');
      const show = async (result: RunResult) => showRun(result, await runView(io, result, flags.details));
      await sessionAction(io, flags, work, show, { resumes: true });
    },
  );
}

/** What the flags ask for; refused where they contradict each other. */
async function workOf(
  matrixPath: string | null,
  flags: RunFlags,
): Promise<(options: SessionOptions) => Promise<RunOutcome>> {
  const run = flags.resume ?? flags.extend;
  if (flags.resume !== undefined && flags.extend !== undefined)
    throw usage('--resume continues a run and --extend adds to one: name one of them');
  if (run === undefined) {
    if (flags.budget !== undefined || flags.retryFailed === true)
      throw usage('--budget and --retry-failed belong to --resume and --extend');
    if (matrixPath === null) throw usage('run needs a matrix, or --resume RUN');
    const { runMatrix } = await import('../../experiment/run.js');
    return (options) => runMatrix({ ...options, matrixPath });
  }
  if (flags.ledgerUrlEnv !== undefined)
    throw usage('a run keeps its ledger where it began: --ledger-url-env has no place there');
  const replaced = [flags.sample, flags.fixtures, flags.bankDirectory, flags.aa].some((flag) => flag !== undefined);
  if (flags.resume !== undefined && matrixPath === null && replaced)
    throw usage(
      'a run is resumed as it was begun: --sample, --fixtures, --bank-directory and --aa have no place there',
    );
  const asked = (options: SessionOptions): ContinueOptions => ({
    ...options,
    run,
    matrixPath,
    budget: flags.budget ?? null,
    retryFailed: flags.retryFailed === true,
  });
  if (flags.extend !== undefined) {
    const { extendRun } = await import('../../experiment/resuming/extend-run.js');
    return (options) => extendRun(asked(options));
  }
  const { resumeRun } = await import('../../experiment/resuming/resume-run.js');
  return (options) => resumeRun(asked(options));
}

function usage(message: string): Error {
  return invalidInput('USAGE', message, { remedy: 'recall-matrix run --help shows examples' });
}
