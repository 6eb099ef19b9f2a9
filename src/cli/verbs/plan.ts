import { resolve } from 'node:path';
import { Command } from 'commander';
import { type CliIo, print, printJson } from '../io.js';
import { type MatrixFlags, overridesOf, withAa, withMatrix, withSample } from '../matrix-options.js';

/** `plan`: what a run would send and cost at most. Sends nothing and needs no key (MX-6). */
export function planVerb(io: CliIo): Command {
  const command = new Command('plan')
    .description('Say what a run would do, send and cost, expected and worst case apart. Sends nothing, needs no key.')
    .addHelpText(
      'after',
      '\nExamples:\n  $ recall-matrix plan matrices/quickstart.yaml\n  $ recall-matrix plan my-matrix.yaml --json',
    );
  return withAa(withSample(withMatrix(command))).action(async (matrix: string, flags: MatrixFlags) => {
    const { planRun } = await import('../../experiment/planning/plan-run.js');
    const plan = await planRun(resolve(io.workingFolder, matrix), overridesOf(flags, io));
    if (flags.json) {
      printJson(io, plan);
      return;
    }
    const { showPlan } = await import('../../report/tables/plan-table.js');
    print(io, showPlan(plan));
  });
}
