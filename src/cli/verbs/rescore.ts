import { resolve } from 'node:path';
import { Command } from 'commander';
import type { RescoreResult } from '../../experiment/rescore-document.js';
import type { CliIo } from '../io.js';
import { withDatabase } from '../matrix-options.js';
import { type SessionFlags, sessionAction } from '../session-action.js';

interface RescoreFlags extends SessionFlags {
  readonly scorer?: string[];
  readonly labelsChanged?: boolean;
  readonly budget?: string;
}

/** `rescore`: stored answers scored again, by more scorers, a judge, or corrected labels; no reader is asked (RP-6). */
export function rescoreVerb(io: CliIo): Command {
  const command = new Command('rescore')
    .description(
      "Score the stored answers of a finished run again, by more scorers or a judge. Asks no reader and forms nothing; what judges cost is booked in the run's own ledger. The rows before stay beside the new ones.",
    )
    .argument('<run>', 'a run id under --out, `latest`, or a run folder')
    .argument('[matrix]', 'a matrix with more under `scoring`, and the judges that it asks')
    .option('--scorer <name...>', 'a built-in scorer to add, e.g. contains or ndcg@10')
    .option('--labels-changed', "score by the fixtures' expected answers and evidence as they are now")
    .option('--budget <usd>', 'a higher limit, written into the ledger as an amendment')
    .option('--out <folder>', 'where run folders lie (default: ./runs)')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Examples:
  $ recall-matrix rescore latest --scorer contains --scorer ndcg@10
  $ recall-matrix rescore latest my-matrix-with-a-judge.yaml
  $ recall-matrix rescore runs/my-run --labels-changed --json`,
    );
  return withDatabase(command, io).action(
    async (run: string, matrix: string | undefined, { scorer: scorers = [], ...flags }: RescoreFlags) => {
      const { rescoreRun } = await import('../../experiment/rescoring/rescore-run.js');
      const { rescoreCommand } = await import('../../experiment/rescoring/rescore-command.js');
      const { runView } = await import('../run-view.js');
      const { showRescoring } = await import('../../report/tables/rescore-table.js');
      const matrixPath = matrix === undefined ? null : resolve(io.workingFolder, matrix);
      const told = { run, matrixPath, scorers, labelsChanged: flags.labelsChanged === true };
      await sessionAction(
        io,
        flags,
        (options) =>
          rescoreRun({
            ...options,
            ...told,
            budget: flags.budget ?? null,
            retryFailed: false,
            onFolder: (path) => io.continueWith(rescoreCommand(path, told)),
          }),
        async (rescored: RescoreResult) => showRescoring(rescored, await runView(io, rescored.result)),
        { resumes: false },
      );
    },
  );
}
